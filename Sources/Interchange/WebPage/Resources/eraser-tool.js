/** Takes ink away where its circle passes, or every stroke that the circle touches. */
class EraserTool {
  constructor(sheet, view) {
    this.sheet = sheet;
    this.view = view;
    this.width = 24;
    this.takesStrokes = false;
    this.cursor = "none";
    // Where the pointer was last, for its circle to be shown.
    this.place = null;
  }

  down(point) {
    this.strokes = this.sheet.strokes;
    this.place = point;
    this.erase(point, point);
  }

  move(points) {
    for (const point of points) {
      this.erase(this.place, point);
      this.place = point;
    }
  }

  hover(point) {
    this.place = point;
    this.view.invalidate();
  }

  up() {
    this.sheet.keep("erase");
  }

  cancel() {
    this.sheet.revert();
  }

  erase(from, to) {
    const left = this.strokes.flatMap(stroke =>
      !this.takesStrokes ? cutStroke(stroke, from, to, this.width / 2)
        : isTouched(stroke, from, to, this.width / 2) ? [] : [stroke]);
    if (left.length === this.strokes.length && left.every((stroke, i) => stroke === this.strokes[i])) return;
    this.strokes = left;
    this.sheet.show({ strokes: left, selection: new Set() });
  }

  paint(context, pixel) {
    if (!this.place) return;
    context.beginPath();
    context.arc(this.place[0], this.place[1], this.width / 2, 0, 2 * Math.PI);
    context.fillStyle = "#8884";
    context.fill();
    context.lineWidth = 1.5 * pixel;
    context.strokeStyle = "#888";
    context.stroke();
  }
}
