// Panels beside one another: one selection, one tool and one colouring for all.

import { legendParts, made } from "../../discovery_map/assets/legend.js";
import { choiceButton } from "../../discovery_map/assets/tool_buttons.js";
import { offeredTools } from "../../discovery_map/assets/toolbox.js";
import { readTheme } from "../../discovery_map/assets/theme.js";
import { closePanel, openPanel, showPanel } from "./panel.js";
import { saveGrid } from "./save.js";
import { showTools, takeTool } from "./shared.js";

// In pixels; so wide a panel still shows names.
const NARROWEST = 256;
const MOST_ACROSS = 6;
const LOOKING = ["move", "select"];

export function openGrid(root, announce) {
  const listening = new AbortController();
  const { signal } = listening;
  const grid = {
    root,
    announce,
    holder: root.querySelector(".panels"),
    panels: new Map(),
    data: null,
    selected: [],
    // A finger scrolls the page past the pictures, until one chooses to select.
    tool: matchMedia("(pointer: coarse)").matches ? "move" : "select",
    signal,
  };
  grid.tools = toolButtons(grid);
  root.querySelector(".top [data-action]").addEventListener("click", () => saveGrid(grid), {
    signal,
  });
  const sizes = new ResizeObserver(() => arrange(grid));
  sizes.observe(grid.holder);
  grid.stop = () => {
    listening.abort();
    sizes.disconnect();
  };
  return grid;
}

export function closeGrid(grid) {
  grid.stop();
  for (const panel of grid.panels.values()) closePanel(panel);
}

export function showGrid(grid, data) {
  if (data.revision !== grid.data?.revision) grid.selected = data.selected;
  grid.data = data;
  const wanted = new Set(data.panels.map(({ key }) => key));
  for (const [key, panel] of grid.panels) {
    if (wanted.has(key)) continue;
    closePanel(panel);
    grid.panels.delete(key);
  }
  const shared = JSON.stringify([data.map, data.revision, readTheme(grid.root)]);
  const anew = shared !== grid.shared;
  grid.shared = shared;
  for (const told of data.panels) {
    const telling = JSON.stringify(told);
    // Most often one picture of many has come, and the others stand as they did.
    if (!anew && telling === grid.panels.get(told.key)?.telling) continue;
    for (const one of told.tries) {
      // Of objects that are not drawn there is no place.
      one.x = one.x.map((value) => value ?? NaN);
      one.y = one.y.map((value) => value ?? NaN);
    }
    if (!grid.panels.has(told.key)) grid.panels.set(told.key, openPanel(grid));
    const panel = grid.panels.get(told.key);
    panel.telling = telling;
    showPanel(grid, panel, told);
  }
  arrange(grid);
  showKey(grid);
  showTools(grid);
}

// Below a plain picture stands the conditioned one of the same method.
function arrange(grid) {
  const told = grid.data?.panels ?? [];
  const width = grid.holder.clientWidth;
  if (!told.length || !width) return;
  const rows = [...new Set(told.map(({ row }) => row))].map((row) =>
    told.filter((one) => one.row === row),
  );
  const longest = Math.max(...rows.map((row) => row.length));
  const across = Math.max(1, Math.min(MOST_ACROSS, longest, Math.floor(width / NARROWEST)));
  grid.across = across;
  grid.holder.style.setProperty("--across", across);
  const order = [];
  for (let first = 0; first < longest; first += across) {
    for (const row of rows) order.push(...row.slice(first, first + across));
  }
  const had = grid.root.getRootNode().activeElement;
  order.forEach(({ key }, k) => {
    const { root } = grid.panels.get(key);
    const there = grid.holder.children[k];
    if (there !== root) grid.holder.insertBefore(root, there);
  });
  // What is moved loses the focus.
  if (had && grid.holder.contains(had)) had.focus({ preventScroll: true });
}

function showKey(grid) {
  const first = grid.panels.values().next().value;
  const legend = first?.m.colouring.legend;
  const telling = JSON.stringify([legend, first?.m.theme]);
  if (telling === grid.keyShown) return;
  grid.keyShown = telling;
  const parts = legend ? [made("strong", "", legend.name), ...legendParts(legend)] : [];
  grid.root.querySelector(".key").replaceChildren(...parts);
}

function toolButtons(grid) {
  const offered = offeredTools({ scene: { tools: LOOKING } });
  const buttons = offered.map((tool) => {
    const button = choiceButton(tool);
    button.addEventListener("click", () => takeTool(grid, tool.name), { signal: grid.signal });
    return { tool, button };
  });
  grid.root.querySelector(".tools").replaceChildren(...buttons.map(({ button }) => button));
  return buttons;
}
