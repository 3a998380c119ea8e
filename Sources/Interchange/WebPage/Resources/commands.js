/**
 * All that one can have done: {id, group, label, keys, run}, some with `isOn` for what stays pressed, `isOff` for
 * what cannot be done now, `icon` where another command has the same one, or `isNative` where the browser sends an
 * event of its own for the keys. Buttons, hints, keyboard and the list of its keys are all made from this table.
 */
function commandsOf({ sheet, view, settings, files, part, clipboard, setTool }) {
  const { tools } = settings;
  const command = (id, label, keys, run, more) =>
    ({ id, label, keys: keys.split(" ").filter(Boolean), run, ...more });
  const withSelection = { isOff: () => sheet.selection.size === 0 };
  const withStrokes = { isOff: () => sheet.strokes.length === 0 };
  const withPicture = { isOff: () => !sheet.picture };
  const isNative = true;
  const told = (step, verb) => tell(step ? `${verb}: ${step}.` : `There is nothing to ${verb.toLowerCase()}.`);
  const tool = (id, label, key) =>
    command(`tool-${id}`, label, key, () => setTool(id), { isOn: () => settings.toolName === id });
  const eraser = (id, label, key, takesStrokes) => command(id, label, key, () => {
    tools.eraser.takesStrokes = takesStrokes;
    setTool("eraser");
  }, { isOn: () => tools.eraser.takesStrokes === takesStrokes });
  const cut = (id, label, cutsLine) => command(id, label, "", () => {
    part.cutsLine = cutsLine;
    part.update();
  }, { isOn: () => part.cutsLine === cutsLine });
  const widen = step => {
    if (settings.tool?.width) settings.tool.width = Math.min(60, Math.max(1, settings.tool.width + step));
  };
  // What is pasted or chosen is at hand to be moved.
  const lassoed = action => () => {
    if (action() !== false) setTool("lasso");
  };
  const groups = {
    Tools: [
      tool("pen", "Pen", "P"),
      tool("marker", "Marker: lets what is below shine through", "M"),
      tool("pencil", "Pencil", "N"),
      tool("eraser", "Eraser", ""),
      eraser("erasePixels", "Erase what the circle passes", "E", false),
      eraser("eraseStrokes", "Erase whole strokes", "Shift+E", true),
      tool("lasso", "Lasso: select strokes", "L"),
      tool("hand", "Move the sheet", "H"),
      tool("picture", "Move or scale the picture underneath", "I"),
      command("color", "Colour", "1 … 6"),
      command("thinner", "Thinner", "[", () => widen(-2)),
      command("thicker", "Thicker", "]", () => widen(2)),
    ],
    Edit: [
      command("undo", "Undo", "Mod+Z", () => told(sheet.undo(), "Undo"), { isOff: () => sheet.past.length === 0 }),
      command("redo", "Redo", "Mod+Shift+Z Mod+Y", () => told(sheet.redo(), "Redo"),
        { isOff: () => sheet.future.length === 0 }),
      command("clear", "Clear all strokes", "Shift+Delete",
        () => sheet.change("clear", { strokes: [], selection: new Set() }), withStrokes),
      command("selectAll", "Select all", "Mod+A", lassoed(() => sheet.select(sheet.strokes)), withStrokes),
      command("copy", "Copy", "Mod+C", () => clipboard.copy(), { ...withSelection, isNative }),
      command("cut", "Cut", "Mod+X", null, { isNative }),
      command("paste", "Paste strokes or a picture", "Mod+V", lassoed(() => clipboard.paste()), { isNative }),
      command("duplicate", "Duplicate", "Mod+D", lassoed(() => clipboard.duplicate()), withSelection),
      command("delete", "Delete the selection", "Delete Backspace", () => sheet.deleteSelection(),
        { ...withSelection, icon: "clear" }),
      command("deselect", "Deselect, or stop a stroke", "Escape", () => sheet.select([])),
    ],
    View: [
      command("zoomIn", "Zoom in", "+ =", () => view.zoomBy(1.25)),
      command("zoomOut", "Zoom out", "-", () => view.zoomBy(0.8)),
      command("zoomReset", "Full size", "0", () => view.zoomBy(1 / view.zoom)),
      command("fit", "Show everything", "F", () => view.fit(files.everything)),
      command("theme", "Light or dark", "T", () => { root.dataset.theme = view.isDark ? "light" : "dark"; }),
      command("penOnly", "Only a pen draws, a hand moves the sheet", "O", () => {
        settings.penOnly = !settings.penOnly;
        tell(settings.penOnly ? "Only a pen draws now; fingers and mouse move the sheet." : "Everything draws.");
      }, { isOn: () => settings.penOnly }),
      command("keys", "Keyboard shortcuts", "?", () => find("#key-dialog").showModal()),
    ],
    Files: [
      command("open", "Open a drawing or picture", "Mod+O", () => files.input.click()),
      command("saveStrokes", "Save the strokes (JSON)", "Mod+S", () => files.saveStrokes()),
      command("savePNG", "Save as a picture (PNG)", "Mod+Shift+S", () => files.savePNG()),
      command("savePart", "Save the enclosed part (PNG)", "Mod+E", () => files.savePart(), withPicture),
    ],
    // Without keys, so that they are in no list.
    "": [
      command("saveMenu", "Save", ""),
      cut("cutLine", "Cut along the line", true),
      cut("cutBox", "Cut as a box", false),
      command("pictureSmaller", "Smaller picture", "", () => tools.picture.scaleBy(0.9),
        { ...withPicture, icon: "zoomOut" }),
      command("pictureLarger", "Larger picture", "", () => tools.picture.scaleBy(1 / 0.9),
        { ...withPicture, icon: "zoomIn" }),
      command("pictureFit", "Fit the picture", "", () => files.placePicture(sheet.picture.bitmap),
        { ...withPicture, icon: "fit" }),
      command("pictureRemove", "Remove the picture", "", () => sheet.change("picture", { picture: null }),
        { ...withPicture, icon: "clear" }),
    ],
  };
  return Object.entries(groups).flatMap(([group, list]) => list.map(each => ({ ...each, group })));
}
