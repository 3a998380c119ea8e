/** Opens drawings and pictures, and saves what there is. */
class Files {
  static longestPicture = 4096;

  constructor(sheet, view, part) {
    this.sheet = sheet;
    this.view = view;
    this.part = part;
    this.input = find("#file");
    this.input.addEventListener("change", () => {
      this.open(this.input.files[0]);
      // The same file again is a change, too.
      this.input.value = "";
    });
  }

  /** Strokes take the place of the drawing, a picture goes underneath it. */
  async open(file) {
    if (!file) return;
    try {
      if (file.type.startsWith("image/")) await this.openPicture(file);
      else await this.openDrawing(file);
    } catch (error) {
      if (!(error instanceof Complaint)) console.warn(error);
      tell(`${file.name}: ${error instanceof Complaint ? error.message : "This file cannot be read."}`, true);
    }
  }

  async openDrawing(file) {
    if (file.size > largestDrawing.bytes) throw new Complaint("This file is too large for a drawing.");
    const drawing = drawingFrom(await file.text());
    this.sheet.change("open", { ...drawing, selection: new Set() });
    this.view.fit(unionOf(drawing.strokes.map(boxOf)));
    tell(`Opened ${counted(drawing.strokes.length, "stroke")}.`);
  }

  async openPicture(file) {
    const decoded = await createImageBitmap(file).catch(() => {
      throw new Complaint("This picture cannot be read.");
    });
    const { width, height } = decoded, longest = Math.max(width, height), share = Files.longestPicture / longest;
    const bitmap = share >= 1 ? decoded : await createImageBitmap(decoded, {
      resizeWidth: Math.max(1, Math.round(width * share)), resizeHeight: Math.max(1, Math.round(height * share)),
      resizeQuality: "high",
    });
    this.placePicture(bitmap);
    tell("Draw around a part to cut it out.");
  }

  /** Puts the picture where it can be seen as a whole. */
  placePicture(bitmap) {
    // With its panel shown the sheet may be smaller.
    this.part.section.hidden = false;
    const [left, top, right, bottom] = this.view.freeBox();
    const scale = Math.min((right - left) / bitmap.width, (bottom - top) / bitmap.height);
    const x = (left + right - bitmap.width * scale) / 2, y = (top + bottom - bitmap.height * scale) / 2;
    this.sheet.change("picture", { picture: { bitmap, x, y, scale } });
  }

  /** The box around all there is, or null. */
  get everything() {
    const { strokes, picture } = this.sheet;
    return unionOf([...strokes.map(boxOf), ...(picture ? [pictureBox(picture)] : [])]);
  }

  /** The strokes on white paper, above the picture. */
  savePNG() {
    if (!this.everything) return tell("There is nothing to save yet.");
    const box = grown(this.everything, 24);
    const [canvas, context] = canvasOf(box, Math.min(2, Files.longestPicture / longestSide(box)));
    context.fillStyle = "#fff";
    context.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
    paintSheet(context, this.sheet.picture, this.sheet.strokes);
    return this.saveCanvas(canvas, "drawing.png");
  }

  saveStrokes() {
    const { width, height, strokes } = this.sheet.kept;
    if (strokes.length === 0) return tell("There is nothing to save yet.");
    return this.save(new Blob([drawingText(width, height, strokes)], { type: "application/json" }), "drawing.json");
  }

  savePart() {
    const part = this.part.cut(Files.longestPicture);
    if (!part) return tell("Open a picture and draw around a part of it first.");
    return this.saveCanvas(part, "part.png");
  }

  async saveCanvas(canvas, name) {
    this.save(await new Promise(done => canvas.toBlob(done)), name);
  }

  save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    // The browser needs the address until the download began.
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }
}
