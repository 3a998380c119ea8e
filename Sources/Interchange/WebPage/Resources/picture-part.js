// The part of the picture that a drawing encloses.

/** A canvas for a box of the sheet, and its context, whose unit is the sheet's. */
function canvasOf([left, top, right, bottom], scale) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round((right - left) * scale));
  canvas.height = Math.max(1, Math.round((bottom - top) * scale));
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
  return [canvas, context];
}

/**
 * A canvas with the part of the picture within the strokes, cut along their line or as their box, at the picture's
 * own size, but at most `longest` pixels wide or high; null where the strokes do not meet the picture.
 */
function enclosedPart(picture, strokes, cutsLine, longest) {
  const around = unionOf(strokes.map(boxOf));
  if (!picture || !around || !boxesMeet(around, pictureBox(picture))) return null;
  const whole = pictureBox(picture);
  const box = around.map((value, i) => i < 2 ? Math.max(value, whole[i]) : Math.min(value, whole[i]));
  const [canvas, context] = canvasOf(box, Math.min(1 / picture.scale, longest / longestSide(box)));
  paintSheet(context, picture, []);
  if (cutsLine) {
    const mask = enclosedMask(strokes, around);
    context.globalCompositeOperation = "destination-in";
    context.drawImage(mask.canvas, mask.box[0], mask.box[1], mask.box[2] - mask.box[0], mask.box[3] - mask.box[1]);
  }
  return canvas;
}

/**
 * What cannot be reached from outside without crossing a stroke is opaque; a stroke counts as closed by a straight
 * line from its end to its start. Several strokes may enclose a part together.
 */
function enclosedMask(strokes, around) {
  const scale = 800 / longestSide(around);
  // Two pixels all around, for the outside to be one.
  const box = grown(around, 2 / scale);
  const [canvas, context] = canvasOf(box, scale);
  for (const stroke of strokes) {
    const outline = new Path2D();
    for (const [x, y] of stroke.points) outline.lineTo(x, y);
    outline.closePath();
    context.fill(outline, "nonzero");
    paintStroke(context, { ...stroke, tool: "pen", color: "#000000" });
  }
  const { width, height } = canvas, image = context.getImageData(0, 0, width, height);
  const isOutside = new Uint8Array(width * height), toDo = [0];
  isOutside[0] = 1;
  while (toDo.length > 0) {
    const place = toDo.pop(), x = place % width;
    const visit = next => {
      if (next < 0 || next >= isOutside.length || isOutside[next] || image.data[4 * next + 3] > 127) return;
      isOutside[next] = 1;
      toDo.push(next);
    };
    if (x > 0) visit(place - 1);
    if (x < width - 1) visit(place + 1);
    visit(place - width);
    visit(place + width);
  }
  for (let i = 0; i < isOutside.length; i++) image.data[4 * i + 3] = isOutside[i] ? 0 : 255;
  context.putImageData(image, 0, 0);
  return { canvas, box };
}

/** Shows the enclosed part beside the sheet, and saves it. */
class PartPanel {
  constructor(sheet, section) {
    this.sheet = sheet;
    this.section = section;
    this.cutsLine = true;
    this.painted = [];
    sheet.watchers.push(() => this.update());
  }

  update() {
    const { picture, kept, live, shown } = this.sheet;
    // Not while something moves: cutting takes some milliseconds.
    if (live || kept !== shown) return;
    const key = [picture, this.sheet.strokesToRead.length, kept.strokes, kept.selection, this.cutsLine];
    if (key.every((value, i) => value === this.painted[i])) return;
    this.painted = key;
    this.section.hidden = !picture;
    const part = this.cut(320);
    this.section.classList.toggle("empty", !part);
    const view = this.section.querySelector("canvas");
    view.width = part?.width ?? 1;
    view.height = part?.height ?? 1;
    if (part) view.getContext("2d").drawImage(part, 0, 0);
  }

  cut(longest) {
    return enclosedPart(this.sheet.picture, this.sheet.strokesToRead, this.cutsLine, longest);
  }
}
