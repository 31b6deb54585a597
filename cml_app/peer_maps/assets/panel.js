// One picture: a small map, and below it what may be read off and how far it may be believed.

import { closeMap, openMap, showScene } from "../../discovery_map/assets/map.js";
import { redraw } from "../../discovery_map/assets/render.js";
import { labelAll } from "../../discovery_map/assets/state.js";
import { showTool } from "../../discovery_map/assets/tool_buttons.js";
import { showPointed, takeTool, tellSelection } from "./shared.js";
import { showScores } from "./scores.js";
import { showTries } from "./tries.js";

const NOT_THERE_YET = { x: [], y: [], labels: [], cards: { names: [], rows: [] }, ends: [] };

export function openPanel(grid) {
  const root = grid.root.querySelector("template").content.firstElementChild.cloneNode(true);
  const panel = { root, told: null, seed: null, count: 0 };
  grid.holder.append(root);
  panel.m = openMap(root, (m) => furnishSmall(grid, m));
  panel.m.send = ({ selected }) => tellSelection(grid, selected);
  panel.m.joinsPointed = true;
  panel.m.leavesWheel = true;
  root.addEventListener("click", (event) => {
    const what = event.target.closest("[data-ask]")?.dataset.ask;
    if (what) ask(grid, panel, what);
  });
  return panel;
}

// Each press has a name of its own, so that whatever interrupts the page, it is answered once.
function ask(grid, panel, what) {
  const press = Math.random().toString(36).slice(2);
  grid.ask({ what, key: panel.told.key, seed: shownTry(panel)?.seed ?? 0, press });
}

export function closePanel(panel) {
  closeMap(panel.m);
  panel.root.remove();
}

export function showPanel(grid, panel, told) {
  const { root } = panel;
  // What was tried last is what one wants to see.
  if (told.tries.length !== panel.count) panel.seed = null;
  panel.count = told.tries.length;
  panel.told = told;
  const shown = shownTry(panel);
  root.dataset.key = told.key;
  root.setAttribute("aria-label", `${told.title}, ${told.which}`);
  root.querySelector("h3").textContent = told.title;
  root.querySelector("h3").title = told.in_words;
  root.querySelector(".which").textContent = told.which;
  root.querySelector('[data-ask="again"]').hidden = !told.again || !shown;
  root.querySelector('[data-ask="draw"]').hidden = !told.draw || !shown;
  const waiting = root.querySelector(".waiting");
  waiting.hidden = Boolean(shown);
  waiting.textContent = told.trouble || "Not drawn yet.";
  waiting.classList.toggle("trouble", Boolean(told.trouble));
  const lot = root.querySelector('[data-ask="lot"]');
  lot.hidden = Boolean(shown) || !told.trouble || !told.lot;
  lot.textContent = `Draw ${told.lot.toLocaleString("en")} by lot`;
  root.querySelector(".told").hidden = !shown;
  showScene(panel.m, sceneOf(grid, told, shown));
  if (!shown) return;
  showScores(root, told, shown);
  showTries(panel, shown, (seed) => {
    panel.seed = seed;
    showPanel(grid, panel, panel.told);
  });
}

function shownTry({ told, seed }) {
  return told.tries.find((one) => one.seed === seed) ?? told.tries.at(-1);
}

function sceneOf(grid, told, shown) {
  const { data } = grid;
  return {
    ...data.map,
    ...(shown ?? NOT_THERE_YET),
    map_id: shown ? `${data.map.step}/${told.key}/${shown.seed}` : null,
    title: `${told.title}, ${told.which}`,
    lines: [],
    directions: [],
    newcomers: [],
    unit: "",
    tools: ["move", "select"],
    tool: grid.tool,
    selected: shown ? grid.selected : [],
    drawing: null,
    revision: data.revision,
    colour: shown ? data.map.colour : null,
  };
}

function furnishSmall(grid, m) {
  m.announce = grid.announce;
  // In place of a card: a ring and lines in all pictures, and words above them.
  m.card = {
    show(object) {
      if (object === m.pointed) return;
      m.pointed = object;
      if (object >= 0) labelAll(m, [object]);
      showPointed(grid, m, object);
      redraw(m);
    },
    hide() {
      this.show(-1);
    },
    follow() {},
  };
  m.legend = { open: false, refresh() {}, settle() {} };
  m.toolbar = {
    refresh() {
      showTool(m);
      takeTool(grid, m.tool);
    },
  };
}
