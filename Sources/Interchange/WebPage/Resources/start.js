// Puts the page together; the last of the scripts, since it uses all others.

const settings = {
  toolName: "pen",
  penOnly: false,
  tools: {},
  // None while the hand moves the sheet.
  get tool() { return this.tools[this.toolName] ?? null; },
};

function bytesOf(id) {
  return Uint8Array.from(atob(document.getElementById(id).textContent.trim()), letter => letter.charCodeAt(0));
}

async function start() {
  const stage = find("#stage");
  const sheet = new Sheet(stage.clientWidth, stage.clientHeight);
  const view = new View(stage, sheet);
  for (const name of Object.keys(inkTools)) settings.tools[name] = new InkTool(name, sheet, view);
  settings.tools.eraser = new EraserTool(sheet, view);
  settings.tools.lasso = new LassoTool(sheet, view);
  settings.tools.picture = new PictureTool(sheet, view);
  const setTool = name => {
    if (settings.toolName !== name) settings.tool?.hover?.(null);
    settings.toolName = name;
    if (settings.tool instanceof InkTool && sheet.selection.size > 0) sheet.select([]);
  };
  const part = new PartPanel(sheet, find("#part"));
  const files = new Files(sheet, view, part);
  const clipboard = new Clipboard(sheet, view, files);
  const pointer = new Pointer(view, settings);
  const app = { sheet, view, settings, files, part, clipboard, setTool };
  const commands = commandsOf(app);
  const run = command => {
    // Half of a stroke is no state to undo or to save.
    pointer.cancel();
    if (!command.isOff?.()) command.run?.();
    controls.update();
    view.invalidate();
  };
  const controls = new Controls(app, commands, run);
  new Keyboard(view, sheet, settings, pointer, run, commands);
  sheet.watchers.push(() => view.invalidate());
  view.overlays.push((context, pixel) => settings.tool?.paint?.(context, pixel));

  try {
    const recognizer = await Recognizer.make(bytesOf("module-base64"), bytesOf("model-base64"));
    const answers = new Answers(sheet, recognizer);
    find("#hint").textContent = answers.words.invite;
  } catch (error) {
    console.error(error);
    root.classList.add("broken");
    find("#answer span").textContent = `The recogniser did not start: ${error.message}`;
  }
  root.dataset.ready = "";
}

start();
