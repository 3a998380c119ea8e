/**
 * All that one can have done: {id, group, label, keys, run}, some with `isOn` for what stays pressed, `isOff` for
 * what cannot be done now, or `isNative` where the browser sends an event of its own for the keys. Buttons, their
 * hints, the keyboard and the list of its keys are all made from this table.
 */
function commandsOf({ sheet, view, settings, files, part, clipboard, setTool }) {
  const { tools } = settings;
  const hasNoSelection = () => sheet.selection.size === 0;
  const hasNoPicture = () => !sheet.picture;
  const told = (step, verb) => tell(step ? `${verb}: ${step}.` : `There is nothing to ${verb.toLowerCase()}.`);
  const lassoed = action => () => {
    if (action() !== false) setTool("lasso");
  };
  const tool = (id, label, key) => ({
    id: `tool-${id}`, group: "Tools", label, keys: [key], run: () => setTool(id), isOn: () => settings.toolName === id,
  });
  const eraser = (id, label, key, takesStrokes) => ({
    id, group: "Tools", label, keys: [key], isOn: () => tools.eraser.takesStrokes === takesStrokes,
    run: () => {
      tools.eraser.takesStrokes = takesStrokes;
      setTool("eraser");
    },
  });
  const cut = (id, label, cutsLine) => ({
    id, label, isOn: () => part.cutsLine === cutsLine,
    run: () => {
      part.cutsLine = cutsLine;
      part.update();
    },
  });
  const width = step => () => {
    if (settings.tool?.width) settings.tool.width = Math.min(60, Math.max(1, settings.tool.width + step));
  };
  return [
    tool("pen", "Pen", "P"),
    tool("marker", "Marker: lets what is below shine through", "M"),
    tool("pencil", "Pencil", "N"),
    { ...tool("eraser", "Eraser", "E"), keys: [] },
    eraser("erasePixels", "Erase what the circle passes", "E", false),
    eraser("eraseStrokes", "Erase whole strokes", "Shift+E", true),
    tool("lasso", "Lasso: select strokes", "L"),
    tool("hand", "Move the sheet", "H"),
    tool("picture", "Move or scale the picture underneath", "I"),
    { id: "color", group: "Tools", label: "Colour", keys: ["1", "…", "6"] },
    { id: "thinner", group: "Tools", label: "Thinner", keys: ["["], run: width(-2) },
    { id: "thicker", group: "Tools", label: "Thicker", keys: ["]"], run: width(2) },

    { id: "undo", group: "Edit", label: "Undo", keys: ["Mod+Z"], isOff: () => sheet.past.length === 0,
      run: () => told(sheet.undo(), "Undo") },
    { id: "redo", group: "Edit", label: "Redo", keys: ["Mod+Shift+Z", "Mod+Y"],
      isOff: () => sheet.future.length === 0, run: () => told(sheet.redo(), "Redo") },
    { id: "clear", group: "Edit", label: "Clear all strokes", keys: ["Shift+Delete"],
      isOff: () => sheet.strokes.length === 0,
      run: () => sheet.change("clear", { strokes: [], selection: new Set() }) },
    { id: "selectAll", group: "Edit", label: "Select all", keys: ["Mod+A"], isOff: () => sheet.strokes.length === 0,
      run: lassoed(() => sheet.select(sheet.strokes)) },
    { id: "copy", group: "Edit", label: "Copy", keys: ["Mod+C"], isNative: true, isOff: hasNoSelection,
      run: () => clipboard.copy() },
    { id: "cut", group: "Edit", label: "Cut", keys: ["Mod+X"], isNative: true },
    { id: "paste", group: "Edit", label: "Paste strokes or a picture", keys: ["Mod+V"], isNative: true,
      run: lassoed(() => clipboard.paste()) },
    { id: "duplicate", group: "Edit", label: "Duplicate", keys: ["Mod+D"], isOff: hasNoSelection,
      run: lassoed(() => clipboard.duplicate()) },
    { id: "delete", icon: "clear", group: "Edit", label: "Delete the selection", keys: ["Delete", "Backspace"],
      isOff: hasNoSelection, run: () => sheet.deleteSelection() },
    { id: "deselect", group: "Edit", label: "Select nothing, stop a stroke", keys: ["Escape"],
      run: () => sheet.select([]) },

    { id: "zoomIn", group: "View", label: "Zoom in", keys: ["+", "="], run: () => view.zoomBy(1.25) },
    { id: "zoomOut", group: "View", label: "Zoom out", keys: ["-"], run: () => view.zoomBy(0.8) },
    { id: "zoomReset", group: "View", label: "Full size", keys: ["0"], run: () => view.zoomBy(1 / view.zoom) },
    { id: "fit", group: "View", label: "Show everything", keys: ["F"], run: () => view.fit(files.everything) },
    { id: "theme", group: "View", label: "Light or dark", keys: ["T"], run: () => {
      document.documentElement.dataset.theme = view.isDark ? "light" : "dark";
      view.invalidate();
    } },
    { id: "penOnly", group: "View", label: "Only a pen draws, a hand moves the sheet", keys: ["O"],
      isOn: () => settings.penOnly, run: () => {
        settings.penOnly = !settings.penOnly;
        tell(settings.penOnly ? "Only a pen draws now. Fingers and mouse move the sheet." : "Everything draws again.");
      } },
    { id: "keys", group: "View", label: "Keyboard shortcuts", keys: ["?"],
      run: () => document.querySelector("#key-dialog").showModal() },

    { id: "open", group: "Files", label: "Open a drawing, or a picture underneath", keys: ["Mod+O"],
      run: () => files.input.click() },
    { id: "saveStrokes", group: "Files", label: "Save the strokes (JSON)", keys: ["Mod+S"],
      run: () => files.saveStrokes() },
    { id: "savePNG", group: "Files", label: "Save as a picture (PNG)", keys: ["Mod+Shift+S"],
      run: () => files.savePNG() },
    { id: "savePart", group: "Files", label: "Save the enclosed part (PNG)", keys: ["Mod+E"], isOff: hasNoPicture,
      run: () => files.savePart() },
    cut("cutLine", "Cut along the line", true),
    cut("cutBox", "Cut as a box", false),
    { id: "saveMenu", label: "Save" },
    { id: "pictureSmaller", icon: "zoomOut", label: "Smaller picture", isOff: hasNoPicture, run: () => tools.picture.scaleBy(0.9) },
    { id: "pictureLarger", icon: "zoomIn", label: "Larger picture", isOff: hasNoPicture, run: () => tools.picture.scaleBy(1 / 0.9) },
    { id: "pictureFit", icon: "fit", label: "Fit the picture", isOff: hasNoPicture,
      run: () => files.placePicture(sheet.picture?.bitmap) },
    { id: "pictureRemove", icon: "clear", label: "Remove the picture", isOff: hasNoPicture,
      run: () => sheet.change("picture", { picture: null }) },
  ];
}
