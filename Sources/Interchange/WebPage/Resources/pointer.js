/** Pointer events of the canvas: to the tool, or, with two fingers, Space or the middle button, to the view. */
class Pointer {
  constructor(view, settings) {
    this.view = view;
    this.settings = settings;
    this.fingers = new Map();
    // What the pointer does now, {id, type, tool}; the tool is null while the sheet moves.
    this.act = null;
    this.spaceIsDown = false;
    this.penSeen = -Infinity;
    const canvas = view.canvas;
    canvas.addEventListener("pointerdown", event => this.down(event));
    canvas.addEventListener("pointermove", event => this.move(event));
    canvas.addEventListener("pointerup", event => this.up(event));
    canvas.addEventListener("pointercancel", event => this.up(event, true));
    canvas.addEventListener("pointerleave", event => this.leave(event));
    canvas.addEventListener("wheel", event => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", event => event.preventDefault());
  }

  /** A hand that rests on the screen while the other holds a pen, or has just lifted it. */
  isPalm(event) {
    return event.pointerType === "touch" && (this.act?.type === "pen" || event.timeStamp - this.penSeen < 500);
  }

  down(event) {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
    if (this.isPalm(event) || event.button > 1 && event.button !== 5) return;
    event.preventDefault();
    this.view.canvas.focus({ preventScroll: true });
    // An event that a script made has no pointer to capture.
    if (event.isTrusted) this.view.canvas.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (this.fingers.size === 2) this.cancel();
      if (this.fingers.size >= 2) return;
    } else if (this.act?.type === "touch") {
      this.cancel();
    }
    if (this.act) return;
    const movesSheet = this.spaceIsDown || event.button === 1 || this.settings.toolName === "hand"
      || this.settings.penOnly && event.pointerType !== "pen";
    const tool = movesSheet ? null : event.button === 5 ? this.settings.tools.eraser : this.settings.tool;
    this.act = { id: event.pointerId, type: event.pointerType, tool, last: [event.clientX, event.clientY] };
    this.view.stage.classList.toggle("grabbing", !tool);
    tool?.down(this.point(event), event);
  }

  move(event) {
    if (event.pointerType === "pen") this.penSeen = event.timeStamp;
    if (this.fingers.has(event.pointerId) && this.fingers.size === 2) {
      this.pinch(event);
      return;
    }
    if (this.act?.id !== event.pointerId) {
      if (!this.act && event.pointerType !== "touch") this.settings.tool?.hover?.(this.point(event));
      return;
    }
    if (this.act.tool) {
      const all = event.getCoalescedEvents?.() ?? [];
      this.act.tool.move((all.length > 0 ? all : [event]).map(each => this.point(each)));
    } else {
      this.view.panBy(event.clientX - this.act.last[0], event.clientY - this.act.last[1]);
      this.act.last = [event.clientX, event.clientY];
    }
  }

  up(event, isCancelled = false) {
    this.fingers.delete(event.pointerId);
    if (this.act?.id !== event.pointerId) return;
    const { tool } = this.act;
    this.act = null;
    this.view.stage.classList.remove("grabbing");
    if (isCancelled) tool?.cancel();
    else tool?.up();
    if (event.pointerType === "touch") this.leave(event);
  }

  leave() {
    this.settings.tool?.hover?.(null);
  }

  /** Stops what the pointer does, as if it had not begun. */
  cancel() {
    this.act?.tool?.cancel();
    this.act = null;
  }

  pinch(event) {
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)[1];
    const before = this.fingers.get(event.pointerId), now = [event.clientX, event.clientY];
    this.fingers.set(event.pointerId, now);
    const apart = point => Math.max(1, Math.hypot(point[0] - other[0], point[1] - other[1]));
    this.view.panBy((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    this.view.zoomBy(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : 1;
    const dx = event.deltaX * unit, dy = event.deltaY * unit;
    if (event.ctrlKey || event.metaKey) {
      // A notch of a wheel is about 100 pixels, a touchpad's pinch sends a few at a time.
      this.view.zoomBy(Math.exp(-Math.max(-100, Math.min(100, dy)) / 250), event.clientX, event.clientY);
    } else if (event.shiftKey && dx === 0) {
      this.view.panBy(-dy, 0);
    } else {
      this.view.panBy(-dx, -dy);
    }
  }

  /** The point of the sheet. Only a pen's pressure says how hard one presses; others get the middle, 0.5. */
  point(event) {
    const [x, y] = this.view.toSheet(event.clientX, event.clientY);
    return [x, y, event.pointerType === "pen" && event.pressure > 0 ? event.pressure : 0.5, event.timeStamp];
  }
}
