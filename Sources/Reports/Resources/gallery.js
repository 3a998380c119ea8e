// Shows pictures of the sheet as cards, and those of a matrix cell when it is chosen.
"use strict";

const sheet = JSON.parse(document.getElementById("sheet").textContent);
const thousands = (count) => count.toLocaleString("en-US");

// Only all reads as 100% and only nothing as 0%, as in the rest of the report.
function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1%";
  if (share < 1 && share >= 0.9995) return ">99.9%";
  return `${(100 * share).toFixed(1)}%`;
}

function element(name, className, ...children) {
  const result = document.createElement(name);
  if (className) result.className = className;
  result.append(...children);
  return result;
}

function pictureOf(slot) {
  const scale = 112 / Math.max(sheet.width, sheet.height);
  const [width, height] = [sheet.width * scale, sheet.height * scale];
  const result = element("span", "picture sprite");
  result.style.width = `${width}px`;
  result.style.height = `${height}px`;
  result.style.backgroundSize = `${sheet.columns * width}px auto`;
  result.style.backgroundPosition =
    `${-(slot % sheet.columns) * width}px ${-Math.floor(slot / sheet.columns) * height}px`;
  return result;
}

function guessBar([label, share], truth) {
  const bar = element("i");
  bar.style.width = `${100 * share}%`;
  const name = element("span", "", sheet.names[label]);
  name.title = sheet.names[label];
  return element(
    "div", label === truth ? "guess truth" : "guess", name, element("div", "track", bar), element("span", "", percent(share)));
}

function card(slot, note = "") {
  const { image, truth, prediction, guesses } = sheet.pictures[slot];
  const title = truth === prediction ? sheet.names[truth] : `${sheet.names[truth]} taken for ${sheet.names[prediction]}`;
  const heading = element("b", "", title);
  // A long one is cut off.
  heading.title = title;
  const caption = element("figcaption", "", heading, `image ${thousands(image)}`, note && element("br"), note);
  return element("figure", "card", pictureOf(slot), caption, ...guesses.map((guess) => guessBar(guess, truth)));
}

for (const place of document.querySelectorAll("[data-slots]")) {
  const notes = place.dataset.notes?.split("\n") ?? [];
  const slots = place.dataset.slots.split(" ").filter(Boolean).map(Number);
  place.replaceChildren(...slots.map((slot, index) => card(slot, notes[index])));
}

const gallery = document.getElementById("gallery");
const cells = [...document.querySelectorAll("[data-cell]")];

function choose(cell) {
  for (const other of cells) other.setAttribute("aria-pressed", other === cell);
  const slots = sheet.cells[cell.dataset.cell] ?? [];
  const total = Number(cell.dataset.count);
  const shown = slots.length < total ? `, ${thousands(slots.length)} of them here` : "";
  gallery.replaceChildren(
    element("p", "", element("b", "", `${cell.dataset.title}: ${thousands(total)} ${total === 1 ? "image" : "images"}`), shown),
    element("div", "cards", ...slots.map((slot) => card(slot))));
  history.replaceState(null, "", `#${cell.dataset.cell}`);
  // Below a large matrix they would come unseen.
  gallery.scrollIntoView({ block: "nearest" });
}

for (const cell of cells) cell.addEventListener("click", () => choose(cell));

// Arrow keys walk over the matrix, from one cell with images to the next.
document.querySelector(".matrix")?.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  const here = event.target.closest("td");
  if (!step || !here) return;
  const rows = [...here.closest("tbody").rows];
  let [row, column] = [rows.indexOf(here.parentElement), here.cellIndex];
  let button;
  do {
    [row, column] = [row + step[0], column + step[1]];
    button = rows[row]?.cells[column]?.querySelector("button");
  } while (button?.disabled);
  if (!button) return;
  event.preventDefault();
  button.focus();
});

// A cell can be linked to: report.html#4-9.
const linked = cells.find((cell) => `#${cell.dataset.cell}` === location.hash);
if (linked) choose(linked);
