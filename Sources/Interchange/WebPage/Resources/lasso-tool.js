/** Selects what it is drawn around, or the stroke that it taps, and moves what is selected. */
class LassoTool {
  constructor(sheet, view) {
    this.sheet = sheet;
    this.view = view;
    this.cursor = "crosshair";
    this.line = null;
    this.adds = false;
  }

  get box() {
    return unionOf([...this.sheet.selection].map(boxOf));
  }

  down(point, event) {
    const margin = 8 / this.view.zoom, box = this.box;
    this.adds = event?.shiftKey ?? false;
    this.start = point;
    this.isMoving = !this.adds && box !== null && boxHolds(grown(box, margin), point);
    this.line = this.isMoving ? null : [point];
    this.view.invalidate();
  }

  move(points) {
    if (this.isMoving) {
      const [x, y] = points.at(-1);
      this.sheet.moveSelection(x - this.start[0], y - this.start[1]);
    } else {
      this.line.push(...points);
      this.view.invalidate();
    }
  }

  up() {
    if (this.isMoving) {
      this.sheet.keep("move");
      return;
    }
    const line = this.line, box = unionOf(line.map(([x, y]) => [x, y, x, y])), tap = 8 / this.view.zoom;
    this.line = null;
    const isTap = Math.max(box[2] - box[0], box[3] - box[1]) < tap;
    const found = isTap ? this.strokes.findLast(stroke => isTouched(stroke, this.start, this.start, tap)) : null;
    const chosen = isTap ? (found ? [found] : []) : this.strokes.filter(stroke =>
      stroke.points.filter(point => isInside(point, line)).length * 2 > stroke.points.length);
    const before = this.adds ? [...this.sheet.selection] : [];
    // With Shift, a tap on what is selected takes it out.
    const isTakenOut = isTap && before.includes(found);
    this.sheet.select(isTakenOut ? before.filter(stroke => stroke !== found) : [...before, ...chosen]);
  }

  cancel() {
    this.line = null;
    this.sheet.revert();
  }

  get strokes() { return this.sheet.strokes; }

  paint(context, pixel) {
    context.lineWidth = 1.5 * pixel;
    context.strokeStyle = accent(this.view);
    context.setLineDash([5 * pixel, 4 * pixel]);
    context.beginPath();
    for (const [x, y] of this.line ?? []) context.lineTo(x, y);
    context.stroke();
    const box = this.box;
    if (box) {
      const [left, top, right, bottom] = grown(box, 8 * pixel);
      context.beginPath();
      context.roundRect(left, top, right - left, bottom - top, 6 * pixel);
      context.fillStyle = `${accent(this.view)}14`;
      context.fill();
      context.stroke();
    }
    context.setLineDash([]);
  }
}

/** The colour of what is chosen, on this paper. */
function accent(view) {
  return view.hasDarkPaper ? "#8fa6ff" : "#3557d6";
}
