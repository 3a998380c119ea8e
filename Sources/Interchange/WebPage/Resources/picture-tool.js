/** Drags the picture underneath, or one of its corners. */
class PictureTool {
  constructor(sheet, view) {
    this.sheet = sheet;
    this.view = view;
    this.cursor = "move";
  }

  down(point) {
    this.start = point;
    this.from = this.sheet.picture;
    if (!this.from) return;
    const [left, top, right, bottom] = pictureBox(this.from), reach = 18 / this.view.zoom;
    const corners = [[left, top, right, bottom], [right, top, left, bottom], [left, bottom, right, top],
      [right, bottom, left, top]];
    // The corner that is held, then the one opposite, which stays.
    this.corner = corners.find(([x, y]) => Math.hypot(x - point[0], y - point[1]) <= reach);
  }

  move(points) {
    if (!this.from) return;
    const [x, y] = points.at(-1), { bitmap } = this.from;
    if (!this.corner) {
      this.show({ x: this.from.x + x - this.start[0], y: this.from.y + y - this.start[1] });
      return;
    }
    const [cornerX, cornerY, fixedX, fixedY] = this.corner;
    const dx = cornerX - fixedX, dy = cornerY - fixedY;
    // How far along the diagonal the pointer is.
    const share = ((x - fixedX) * dx + (y - fixedY) * dy) / (dx * dx + dy * dy);
    const scale = Math.max(this.from.scale * share, 16 / Math.max(bitmap.width, bitmap.height));
    this.show({
      scale,
      x: dx > 0 ? fixedX : fixedX - bitmap.width * scale,
      y: dy > 0 ? fixedY : fixedY - bitmap.height * scale,
    });
  }

  up() {
    this.sheet.keep("picture");
  }

  cancel() {
    this.sheet.revert();
  }

  show(changes) {
    this.sheet.show({ picture: { ...this.sheet.picture, ...changes } });
  }

  moveBy(dx, dy) {
    const { x, y } = this.sheet.picture;
    this.show({ x: x + dx, y: y + dy });
    this.up();
  }

  /** Scales the picture about its middle. */
  scaleBy(factor) {
    const { bitmap, x, y, scale } = this.sheet.picture;
    const growth = scale * (factor - 1) / 2;
    this.show({ scale: scale * factor, x: x - bitmap.width * growth, y: y - bitmap.height * growth });
    this.up();
  }

  paint(context, pixel) {
    if (!this.sheet.picture) return;
    const [left, top, right, bottom] = pictureBox(this.sheet.picture);
    context.strokeStyle = accent(this.view);
    context.fillStyle = "#fff";
    context.lineWidth = 1.5 * pixel;
    context.strokeRect(left, top, right - left, bottom - top);
    for (const [x, y] of [[left, top], [right, top], [left, bottom], [right, bottom]]) {
      context.beginPath();
      context.arc(x, y, 6 * pixel, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
}

function pictureBox({ bitmap, x, y, scale }) {
  return [x, y, x + bitmap.width * scale, y + bitmap.height * scale];
}
