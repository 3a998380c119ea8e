/**
 * Pen, marker or pencil. Like every tool it is told of points of the sheet, [x, y, pressure, milliseconds]:
 * `down` once, `move` with one or more, then `up`, or `cancel` to leave all as it was.
 */
class InkTool {
  constructor(name, sheet, view) {
    this.name = name;
    this.sheet = sheet;
    this.view = view;
    this.color = inkTools[name].color;
    this.width = inkTools[name].width;
    this.cursor = "crosshair";
  }

  down(point) {
    this.start = point[3];
    this.points = [this.rounded(point)];
    this.show();
  }

  move(points) {
    for (const point of points) {
      const last = this.points.at(-1), next = this.rounded(point);
      if (Math.hypot(next[0] - last[0], next[1] - last[1]) * this.view.zoom >= 0.7) this.points.push(next);
    }
    this.show();
  }

  up() {
    this.sheet.add(this.stroke());
  }

  cancel() {
    this.sheet.revert();
  }

  show() {
    this.sheet.setLive(this.stroke());
  }

  /** A stroke of the points so far; another object each time, since a stroke never changes. */
  stroke() {
    return { tool: this.name, color: this.color, width: this.width, points: this.points.slice() };
  }

  rounded([x, y, pressure, time]) {
    const short = value => Math.round(value * 100) / 100;
    return [short(x), short(y), short(pressure), Math.round(time - this.start)];
  }
}
