/** The two canvases and what part of the sheet they show: one for what is kept, one above for what moves. */
class View {
  static zooms = [0.1, 16];

  constructor(stage, sheet) {
    this.stage = stage;
    this.sheet = sheet;
    this.canvas = stage.querySelector("#ink");
    this.base = this.canvas.getContext("2d");
    this.over = stage.querySelector("#over").getContext("2d");
    // A point of the sheet is shown at zoom * point + offset, in CSS pixels from the stage's corner.
    this.zoom = 1;
    this.x = this.y = 0;
    // Painters of what is above the strokes, called with the context in units of the sheet.
    this.overlays = [];
    this.watchers = [];
    this.waiting = false;
    this.painted = null;
    new ResizeObserver(() => this.resize()).observe(stage);
    this.resize();
  }

  get isDark() {
    const theme = root.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  /** A picture keeps the paper light, since ink would not be seen on it otherwise. */
  get hasDarkPaper() { return this.isDark && !this.sheet.picture; }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage, ratio = devicePixelRatio;
    for (const { canvas } of [this.base, this.over]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.size = [width, height];
    this.moved();
  }

  toSheet(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    return [(clientX - box.left - this.x) / this.zoom, (clientY - box.top - this.y) / this.zoom];
  }

  panBy(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.moved();
  }

  /** Zooms, with the point of the stage (its middle by itself) staying where it is. */
  zoomBy(factor, clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const x = clientX === undefined ? this.size[0] / 2 : clientX - box.left;
    const y = clientY === undefined ? this.size[1] / 2 : clientY - box.top;
    const zoom = Math.min(View.zooms[1], Math.max(View.zooms[0], this.zoom * factor));
    this.x = x - (x - this.x) * zoom / this.zoom;
    this.y = y - (y - this.y) * zoom / this.zoom;
    this.zoom = zoom;
    this.moved();
  }

  /** What of the stage neither dock nor margin covers, in pixels from its corner. */
  get free() {
    const { clientWidth: width, clientHeight: height } = this.stage, margin = 24, dock = width < 830 ? 190 : 140;
    return [margin, margin, Math.max(2 * margin, width - margin), Math.max(2 * margin, height - dock)];
  }

  /** The part of the sheet that neither dock nor margin covers. */
  freeBox() {
    const [left, top, right, bottom] = this.free;
    return [...this.fromStage(left, top), ...this.fromStage(right, bottom)];
  }

  /** Shows all of the box, at most twice its size; without a box the sheet as it was at first. */
  fit(box) {
    const [left, top, right, bottom] = this.free;
    this.zoom = 1;
    this.x = this.y = 0;
    if (box) {
      const zoom = Math.min(2, (right - left) / (box[2] - box[0]), (bottom - top) / (box[3] - box[1]));
      this.zoom = Math.max(View.zooms[0], zoom);
      this.x = (left + right - this.zoom * (box[0] + box[2])) / 2;
      this.y = (top + bottom - this.zoom * (box[1] + box[3])) / 2;
    }
    this.moved();
  }

  moved() {
    this.painted = null;
    this.invalidate();
    for (const watcher of this.watchers) watcher();
  }

  /** Has the canvases painted in the next frame. */
  invalidate() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  /** Sets the context's unit to the sheet's, after wiping it. */
  begin(context) {
    const ratio = devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    context.setTransform(ratio * this.zoom, 0, 0, ratio * this.zoom, ratio * this.x, ratio * this.y);
  }

  paint() {
    const dark = this.hasDarkPaper;
    // While a stroke is drawn, or a lasso, what is kept need not be painted again.
    const key = [this.sheet.strokes, this.sheet.picture, dark];
    if (!this.painted?.every((value, i) => value === key[i])) {
      this.painted = key;
      this.begin(this.base);
      const seen = [...this.fromStage(0, 0), ...this.fromStage(...this.size)];
      paintSheet(this.base, this.sheet.picture, this.sheet.strokes.filter(s => boxesMeet(boxOf(s), seen)), dark);
    }
    this.begin(this.over);
    if (this.sheet.live) paintStroke(this.over, this.sheet.live, dark);
    for (const overlay of this.overlays) overlay(this.over, 1 / this.zoom);
  }

  /** The point of the sheet at a point of the stage. */
  fromStage(x, y) {
    return [(x - this.x) / this.zoom, (y - this.y) / this.zoom];
  }
}

/** The picture and the strokes above it, for the page and for saved files alike. */
function paintSheet(context, picture, strokes, onDark) {
  if (picture) {
    const { bitmap, x, y, scale } = picture;
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, x, y, bitmap.width * scale, bitmap.height * scale);
  }
  for (const stroke of strokes) paintStroke(context, stroke, onDark);
}
