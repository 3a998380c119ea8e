/** Copied strokes: kept here for the buttons, and as JSON in the system's clipboard for other programs. */
class Clipboard {
  constructor(sheet, view, files) {
    this.sheet = sheet;
    this.view = view;
    this.strokes = [];
    // How far the next copy is from the first one, lest it hide what it is a copy of.
    this.shift = 0;
    document.addEventListener("copy", event => this.fill(event, false));
    document.addEventListener("cut", event => this.fill(event, true));
    document.addEventListener("paste", event => {
      event.preventDefault();
      const image = [...event.clipboardData.files].find(file => file.type.startsWith("image/"));
      if (image) files.open(image);
      else this.paste(event.clipboardData.getData("text/plain"));
    });
    document.addEventListener("dragover", event => event.preventDefault());
    document.addEventListener("drop", event => {
      event.preventDefault();
      files.open(event.dataTransfer.files[0]);
    });
  }

  get text() {
    const { width, height } = this.sheet.kept;
    return drawingText(width, height, this.strokes);
  }

  take() {
    const { strokes, selection } = this.sheet.kept;
    if (selection.size === 0) {
      tell("Select strokes first, with the lasso.");
      return false;
    }
    this.strokes = strokes.filter(stroke => selection.has(stroke));
    this.shift = 0;
    tell(`Copied ${counted(this.strokes.length, "stroke")}.`);
    return true;
  }

  /** Answers the browser's own copy or cut. */
  fill(event, deletes) {
    if (!this.take()) return;
    event.clipboardData.setData("text/plain", this.text);
    event.preventDefault();
    if (deletes) this.sheet.deleteSelection();
  }

  /** Answers the button. The system's clipboard may be closed to the page; pasting here works all the same. */
  copy() {
    if (this.take()) navigator.clipboard?.writeText(this.text).catch(() => {});
  }

  /** Pastes the strokes in the text, or else those that were copied here. */
  paste(text = "") {
    let { strokes } = this;
    if (text.trimStart().startsWith("{") && text !== this.text) {
      try {
        ({ strokes } = drawingFrom(text));
        this.strokes = strokes;
        this.shift = 0;
      } catch (error) {
        tell(error.message, true);
        return false;
      }
    }
    if (strokes.length === 0) {
      tell("There are no strokes to paste.");
      return false;
    }
    this.shift += 24;
    let [dx, dy] = [this.shift, this.shift];
    const box = unionOf(strokes.map(boxOf)), free = this.view.freeBox();
    if (!boxesMeet(free, [box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy])) {
      [dx, dy] = [0, 1].map(i => (free[i] + free[i + 2] - box[i] - box[i + 2]) / 2);
    }
    this.sheet.insert("paste", strokes.map(stroke => moved(stroke, dx, dy)));
    return true;
  }

  duplicate() {
    const { strokes, selection } = this.sheet.kept;
    const chosen = strokes.filter(stroke => selection.has(stroke));
    if (chosen.length > 0) this.sheet.insert("duplicate", chosen.map(stroke => moved(stroke, 24, 24)));
  }
}
