/** The buttons, what they show of the state, and the messages. */
class Controls {
  static colors = {
    Ink: "#1a1a1a", Blue: "#2459c9", Red: "#d0393e", Green: "#2b8a4b", Amber: "#e8a317", Grey: "#5b6270",
  };

  constructor(app, commands, run) {
    Object.assign(this, app);
    this.commands = new Map(commands.map(command => [command.id, command]));
    this.width = find("#width");
    this.width.addEventListener("input", () => {
      this.settings.tool.width = Number(this.width.value);
      this.update();
    });
    this.addColors();
    for (const button of findAll("[data-do], [data-tool]")) {
      const command = this.commands.get(button.dataset.do ?? `tool-${button.dataset.tool}`);
      const label = command.label, keys = command.keys[0];
      button.dataset.tip = keys ? `${label}  ${shownKey(keys)}` : label;
      const text = button.textContent.trim(), icon = command.icon ?? command.id;
      if (text === "" || button.id === "scale") button.setAttribute("aria-label", label);
      if (button.closest("[popover]")) button.textContent = label;
      else if (find(`#icons #${icon}`)) {
        button.insertAdjacentHTML("afterbegin",
          `<svg viewBox="0 0 24 24" aria-hidden="true"><use href="#${icon}"/></svg>`);
      }
      button.addEventListener("click", event => {
        run(command);
        button.closest("[popover]")?.hidePopover();
        // After a click the keys go to the sheet; those who came by keyboard stay where they are.
        if (event.detail > 0 && !find("dialog[open]")) this.view.canvas.focus();
      });
    }
    this.addKeyList(commands);
    this.sheet.watchers.push(() => this.update());
    this.view.watchers.push(() => this.update());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.update());
    this.update();
  }

  addColors() {
    const group = find("#colors");
    for (const [name, color] of Object.entries(Controls.colors)) {
      const button = group.appendChild(document.createElement("button"));
      button.setAttribute("aria-label", name);
      button.dataset.tip = name;
      button.dataset.color = color;
      button.addEventListener("click", () => this.setColor(color));
    }
    this.color = group.appendChild(document.createElement("input"));
    this.color.type = "color";
    this.color.title = "Another colour";
    this.color.setAttribute("aria-label", "Another colour");
    this.color.addEventListener("input", () => this.setColor(this.color.value));
  }

  setColor(color) {
    if (this.settings.tool instanceof InkTool) this.settings.tool.color = color;
    this.update();
  }

  addKeyList(commands) {
    const list = find("#key-list");
    const add = (tag, text, parent = list) => {
      const element = parent.appendChild(document.createElement(tag));
      element.textContent = text;
      return element;
    };
    const sheet = [["Draw, or use the tool", "← ↑ → ↓"], ["Pen down or up", "Enter"],
      ["Move the sheet", "Space + drag"], ["Zoom", "Ctrl + wheel"]].map(([label, keys]) => ({ group: "Sheet", label, keys: [keys] }));
    for (const group of ["Tools", "Edit", "Sheet", "View", "Files"]) {
      const section = add("div", "");
      add("h3", group, section);
      for (const { label, keys } of [...commands, ...sheet].filter(command => command.group === group)) {
        if (keys.length === 0) continue;
        add("dt", label, section);
        const shown = add("dd", "", section);
        for (const key of keys) add(key === "…" ? "span" : "kbd", shownKey(key), shown);
      }
    }
  }

  /** Has all buttons show what is so now. */
  update() {
    const { settings, view, sheet } = this, tool = settings.tool;
    root.classList.toggle("dark-paper", view.hasDarkPaper);
    for (const button of findAll("[data-do], [data-tool]")) {
      const command = this.commands.get(button.dataset.do ?? `tool-${button.dataset.tool}`);
      if (command.isOn) button.setAttribute("aria-pressed", command.isOn());
      if (command.isOff) button.disabled = command.isOff();
    }
    for (const part of findAll("[data-for]")) {
      part.hidden = !part.dataset.for.split(" ").includes(settings.toolName);
    }
    for (const swatch of findAll("[data-color]")) {
      swatch.style.background = shownColor(swatch.dataset.color, view.hasDarkPaper);
      swatch.setAttribute("aria-pressed", swatch.dataset.color === tool?.color);
    }
    if (tool?.color) this.color.value = tool.color;
    if (tool?.width) this.width.value = find("#width-out").value = tool.width;
    find("#scale").textContent = `${Math.round(view.zoom * 100)}%`;
    const hint = find("#hint");
    hint.hidden = sheet.strokes.length > 0 || sheet.live !== null || sheet.picture !== null;
    view.stage.style.setProperty("--cursor", tool?.cursor ?? "grab");
    // Dots as far apart as suits the eye at any zoom.
    const apart = 24 * view.zoom * 2 ** -Math.round(Math.log2(view.zoom));
    view.stage.style.backgroundSize = `${apart}px ${apart}px`;
    view.stage.style.backgroundPosition = `${view.x}px ${view.y}px`;
  }
}

/** A key as people know it. */
function shownKey(key) {
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
  return key.replace("Mod+", isApple ? "⌘" : "Ctrl+").replace("Shift+", isApple ? "⇧" : "Shift+")
    .replace("Escape", "Esc").replace("Delete", "Del").replace("Backspace", "⌫").replace(/^-$/, "−");
}
