/**
 * What is on the sheet, {width, height, strokes, picture, selection}, and its history. Neither a state nor what is
 * in it ever changes: an edit shows another state, as often as the pointer moves, and is then kept as one step, or
 * reverted.
 */
class Sheet {
  static longestHistory = 500;

  constructor(width, height) {
    this.shown = this.kept = { width, height, strokes: [], picture: null, selection: new Set() };
    this.past = [];
    this.future = [];
    // The stroke under the pen, not yet among the others.
    this.live = null;
    this.watchers = [];
  }

  get strokes() { return this.shown.strokes; }
  get picture() { return this.shown.picture; }
  get selection() { return this.shown.selection; }

  changed() {
    for (const watcher of this.watchers) watcher();
  }

  /** Shows the last kept state with these changes. */
  show(changes) {
    this.shown = { ...this.kept, ...changes };
    this.changed();
  }

  /** Keeps what is shown as one step that can be undone. */
  keep(name) {
    if (this.shown === this.kept) return;
    this.past.push({ name, state: this.kept });
    if (this.past.length > Sheet.longestHistory) this.past.shift();
    this.future = [];
    this.kept = this.shown;
    this.changed();
  }

  revert() {
    this.live = null;
    this.shown = this.kept;
    this.changed();
  }

  /** An edit that is one step at once. */
  change(name, changes) {
    this.show(changes);
    this.keep(name);
  }

  /** Selects strokes; no step of its own, but what an undone step had selected is selected again. */
  select(strokes) {
    this.shown = this.kept = { ...this.kept, selection: new Set(strokes) };
    this.changed();
  }

  setLive(stroke) {
    this.live = stroke;
    this.changed();
  }

  add(stroke) {
    this.live = null;
    this.change("stroke", { strokes: [...this.kept.strokes, stroke], selection: new Set() });
  }

  /** The name of the step that was undone, or undefined. */
  undo() {
    return this.step(this.past, this.future);
  }

  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    this.revert();
    const step = from.pop();
    if (!step) return undefined;
    to.push({ name: step.name, state: this.kept });
    this.shown = this.kept = step.state;
    this.changed();
    return step.name;
  }

  moveSelection(dx, dy) {
    const { strokes, selection } = this.kept;
    const selected = new Set();
    const all = strokes.map(stroke => {
      if (!selection.has(stroke)) return stroke;
      const copy = moved(stroke, dx, dy);
      selected.add(copy);
      return copy;
    });
    this.show({ strokes: all, selection: selected });
  }

  deleteSelection() {
    const { strokes, selection } = this.kept;
    if (selection.size === 0) return;
    this.change("delete", { strokes: strokes.filter(stroke => !selection.has(stroke)), selection: new Set() });
  }

  /** Puts strokes on top of the others and selects them. */
  insert(name, strokes) {
    this.change(name, { strokes: [...this.kept.strokes, ...strokes], selection: new Set(strokes) });
  }

  /** The strokes that count: the selected ones, or all; with the one under the pen. */
  get strokesToRead() {
    if (this.live) return [...this.strokes, this.live];
    return this.selection.size > 0 ? this.strokes.filter(stroke => this.selection.has(stroke)) : this.strokes;
  }
}
