// What the tools bring to the page: their buttons, their cursor, and what is said of their keys.

import { svgElement } from "./svg.js";
import { setTool } from "./state.js";
import { allTools, offeredTools, offersThrough, toolInHand } from "./toolbox.js";

export function makeToolButtons(m, signal) {
  const { root } = m;
  const choices = allTools().map((tool) => {
    const button = choiceButton(tool);
    button.addEventListener("click", () => setTool(m, tool.name), { signal });
    return { tool, button };
  });
  const actions = allTools()
    .flatMap(actionsOf)
    .map((action) => {
      const button = actionButton(action);
      button.addEventListener("click", () => action.act(m), { signal });
      return { action, button };
    });
  root.querySelector(".tools").replaceChildren(...choices.map(({ button }) => button));
  root.querySelector(".tool-actions").replaceChildren(...actions.map(({ button }) => button));
  return {
    refresh() {
      const offered = offeredTools(m);
      root.querySelector(".help-through").textContent = throughHelp(offered);
      root.querySelector(".help-tools").textContent = keyHelp(offered);
      for (const { tool, button } of choices) {
        button.hidden = !offered.includes(tool);
        button.setAttribute("aria-pressed", String(tool.name === m.tool));
      }
      for (const { action, button } of actions) button.hidden = !action.wanted(m);
      showTool(m);
    },
  };
}

// How the pointer looks over the stage, and whether a finger scrolls the page.
export function showTool(m) {
  const { cursor, scrollsPage } = toolInHand(m);
  m.root.style.setProperty("--tool-cursor", cursor ?? "crosshair");
  m.root.style.setProperty("--tool-touch", scrollsPage ? "pan-x pan-y" : "none");
}

function actionsOf(tool) {
  const { through, actions = [] } = tool;
  return through ? [{ ...through, wanted: (m) => offersThrough(m, tool) }, ...actions] : actions;
}

export function choiceButton({ label, title, key, icon, drawn }) {
  const button = buttonWith(title, key);
  button.classList.toggle("draws", Boolean(drawn));
  const picture = svgElement("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  picture.append(...icon.map(([tag, attributes]) => svgElement(tag, attributes)));
  button.append(picture, spanWith(label));
  return button;
}

// Short for the eye where there is little room; a screen reader has all of it.
function actionButton({ short, long, title, key }) {
  const button = buttonWith(title, key);
  const brief = spanWith(short, "short");
  brief.setAttribute("aria-hidden", "true");
  button.append(brief, spanWith(long, "long"));
  return button;
}

function buttonWith(title, key) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = key ? `${title} (${key.toUpperCase()})` : title;
  if (key) button.setAttribute("aria-keyshortcuts", key);
  return button;
}

function spanWith(text, look = "") {
  const span = document.createElement("span");
  span.className = look;
  span.textContent = text;
  return span;
}

function throughHelp(tools) {
  const helps = tools.flatMap(({ through }) => through?.help ?? []);
  return helps.length ? `${helps.join("; ")}.` : "";
}

function keyHelp(tools) {
  const keys = tools.map(({ key }) => key.toUpperCase());
  return `${listing(keys)} choose the tools ${listing(tools.map(({ name }) => name))}.`;
}

function listing(words) {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
