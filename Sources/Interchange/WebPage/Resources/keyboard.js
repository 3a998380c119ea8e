/** Keys: the commands' own, Space to move the sheet, and arrow keys for a pen that is moved by them. */
class Keyboard {
  constructor(view, sheet, settings, pointer, run, commands) {
    Object.assign(this, { view, sheet, settings, pointer, run });
    // Where the keyboard's pen is; it is shown once it was used.
    this.place = null;
    this.tool = null;
    this.byKey = new Map();
    for (const command of commands) {
      if (!command.isNative && command.run) command.keys.forEach(key => this.byKey.set(key, command));
    }
    view.overlays.push((context, pixel) => this.paint(context, pixel));
    view.canvas.addEventListener("blur", () => this.cancel());
    // The sheet shows that it has the focus only to those who use keys.
    document.addEventListener("pointerdown", event => {
      delete root.dataset.keys;
      if (event.target === view.canvas) this.cancel();
    }, true);
    document.addEventListener("keydown", event => this.down(event));
    document.addEventListener("keyup", event => {
      if (event.key === " ") this.setSpace(false);
    });
    addEventListener("blur", () => this.setSpace(false));
  }

  setSpace(isDown) {
    this.pointer.spaceIsDown = isDown;
    this.view.stage.classList.toggle("space", isDown);
  }

  down(event) {
    const { target } = event;
    if (/^(Tab|Arrow)/.test(event.key)) root.dataset.keys = "";
    if (event.altKey || find("dialog[open]")) return;
    const isSheet = target === this.view.canvas || target === document.body;
    if (isSheet && this.sheetKey(event)) {
      event.preventDefault();
      return;
    }
    // Digits and arrows belong to the slider while it has the focus.
    if (target.tagName === "INPUT" && !event.ctrlKey && !event.metaKey) return;
    const modifier = event.ctrlKey || event.metaKey ? "Mod+" : "";
    const isNamed = event.key.length > 1 || /[a-z]/i.test(event.key);
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const command = this.byKey.get(`${modifier}${event.shiftKey && isNamed ? "Shift+" : ""}${key}`);
    if (command) {
      event.preventDefault();
      if (this.tool && command.id === "deselect") this.cancel();
      else this.run(command);
    } else if (!modifier && /^[1-9]$/.test(key)) {
      findAll("#colors button")[key - 1]?.click();
    }
  }

  /** Whether the key was one of the sheet's: Space, Enter or an arrow. */
  sheetKey(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = arrows[event.key];
    if (event.ctrlKey || event.metaKey) return false;
    if (event.key === " ") {
      this.setSpace(true);
    } else if (event.key === "Enter") {
      if (!event.repeat) this.toggle(event);
    } else if (arrow) {
      const step = (event.shiftKey ? 2 : 12) / this.view.zoom;
      this.go(arrow[0] * step, arrow[1] * step, event);
    } else {
      return false;
    }
    return true;
  }

  go(dx, dy, event) {
    const { toolName, tools } = this.settings;
    if (!this.tool && toolName === "picture" && this.sheet.picture) {
      tools.picture.moveBy(dx, dy);
    } else if (!this.tool && toolName === "lasso" && this.sheet.selection.size > 0) {
      this.sheet.moveSelection(dx, dy);
      this.sheet.keep("move");
    } else if (toolName === "hand") {
      this.view.panBy(-dx * this.view.zoom, -dy * this.view.zoom);
    } else {
      const [x, y] = this.start();
      this.place = [x + dx, y + dy];
      this.tool?.move([this.point(event)]);
      this.settings.tool?.hover?.(this.point(event));
      this.view.invalidate();
    }
  }

  /** Puts the pen down, or lifts it. */
  toggle(event) {
    this.start();
    if (this.tool) {
      this.tool.up();
      this.tool = null;
    } else {
      this.tool = this.settings.tool;
      this.tool?.down(this.point(event));
    }
    this.view.invalidate();
  }

  start() {
    const [left, top, right, bottom] = this.view.freeBox();
    this.place ??= [(left + right) / 2, (top + bottom) / 2];
    return this.place;
  }

  cancel() {
    this.tool?.cancel();
    this.tool = null;
    this.place = null;
    this.view.invalidate();
  }

  point(event) {
    return [...this.place, 0.5, event.timeStamp];
  }

  paint(context, pixel) {
    if (!this.place) return;
    const [x, y] = this.place, arm = 12 * pixel;
    context.strokeStyle = accent(this.view);
    context.lineWidth = (this.tool ? 3 : 1.5) * pixel;
    context.beginPath();
    for (const [dx, dy] of [[arm, 0], [0, arm]]) {
      context.moveTo(x - dx, y - dy);
      context.lineTo(x + dx, y + dy);
    }
    context.stroke();
  }
}
