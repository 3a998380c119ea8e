/** The answer, its probabilities as bars and the picture that the network sees, worked out at most once a frame. */
class Answers {
  constructor(sheet, recognizer) {
    this.sheet = sheet;
    this.recognizer = recognizer;
    this.answer = find("#answer");
    this.said = find("#said");
    this.seen = find("#seen").getContext("2d");
    this.bars = recognizer.labels.map(label => {
      const bar = document.createElement("li");
      const [name, track, percent] = ["span", "i", "span"].map(tag => bar.appendChild(document.createElement(tag)));
      name.textContent = label;
      track.setAttribute("aria-hidden", "true");
      bar.percent = percent;
      return bar;
    });
    const list = find("#bars");
    list.replaceChildren(...this.bars);
    // Digits or anything else, such as clothes.
    const areDigits = recognizer.labels.every(label => /^\d$/.test(label));
    list.classList.toggle("rows", this.bars.length > 12 || !areDigits);
    this.words = areDigits ? { none: "no digit", invite: "Draw a digit" }
      : { none: "not recognised", invite: "Draw something" };
    this.waiting = false;
    sheet.watchers.push(() => this.invalidate());
    this.update();
  }

  invalidate() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.update();
    });
  }

  update() {
    const strokes = this.sheet.strokesToRead;
    const reading = strokes.length > 0 ? this.recognizer.recognize(strokes.map(inkPoints)) : null;
    this.paintSeen(reading?.picture);
    this.bars.forEach((bar, i) => {
      const probability = reading?.probabilities[i] ?? 0;
      bar.style.setProperty("--p", probability.toFixed(3));
      bar.percent.textContent = percentText(probability);
      bar.classList.toggle("best", reading?.index === i);
    });
    const isDigit = reading !== null && reading.index >= 0;
    const label = isDigit ? this.recognizer.labels[reading.index] : reading ? this.words.none : this.words.invite;
    const percent = isDigit ? percentText(reading.probabilities[reading.index]) : "";
    const [big, small] = this.answer.children;
    big.textContent = label;
    small.textContent = percent;
    this.answer.classList.toggle("words", [...label].length > 2);
    this.answer.classList.toggle("faint", !isDigit);
    this.say(percent ? `${label}, ${percent}` : reading ? label : "");
  }

  /** Has screen readers say it once it stays for half a second, not at every move of the pen. */
  say(text) {
    clearTimeout(this.timer);
    if (this.said.textContent === text) return;
    this.timer = setTimeout(() => { this.said.textContent = text; }, 500);
  }

  paintSeen(picture) {
    const image = this.seen.createImageData(this.recognizer.width, this.recognizer.height);
    for (let i = 0; i < image.data.length / 4; i++) image.data.fill(picture?.[i] ?? 0, 4 * i, 4 * i + 3);
    for (let i = 3; i < image.data.length; i += 4) image.data[i] = 255;
    this.seen.canvas.width = image.width;
    this.seen.canvas.height = image.height;
    this.seen.putImageData(image, 0, 0);
  }
}

/** Whole percents; only what is certain is 100%. */
function percentText(probability) {
  return `${probability < 1 ? Math.min(99, Math.round(100 * probability)) : 100}%`;
}
