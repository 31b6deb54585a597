// Buttons and keys that undo and redo. What is pressed is told in full each time, for the page may
// be busy when the next press comes.

import { mounting } from "../discovery_map/assets/mounted.js";

const NAMES = { undo: "Undo", redo: "Redo" };
const KEYS = { undo: "Ctrl+Z", redo: "Ctrl+Shift+Z" };
// Fields in which the browser has an undo of its own.
const TYPED = "input, textarea, [contenteditable=''], [contenteditable='true']";
const NOT_TYPED = new Set(["checkbox", "radio", "button", "submit", "range", "file", "color"]);

const mounted = mounting(".bar", opened, (bar) => bar.stop());

export default function undoBar({ data, parentElement, setStateValue }) {
  const [bar, leave] = mounted(parentElement);
  bar.send = (state) => setStateValue("pressed", state);
  for (const button of bar.buttons) tell(button, data[button.dataset.move]);
  return leave;
}

function opened(root) {
  const listening = new AbortController();
  const bar = {
    root,
    buttons: [...root.querySelectorAll("button")],
    id: Math.random().toString(36).slice(2),
    moves: [],
    stop: () => listening.abort(),
  };
  const options = { signal: listening.signal };
  for (const button of bar.buttons) {
    button.addEventListener("click", () => press(bar, button.dataset.move), options);
  }
  document.addEventListener("keydown", (event) => onKey(bar, event), options);
  return bar;
}

// Not `disabled`: whoever presses a button until nothing is left to undo stays on it.
function tell(button, words) {
  const { move } = button.dataset;
  button.setAttribute("aria-disabled", String(!words));
  button.setAttribute("aria-label", words ? `${NAMES[move]}: ${words}` : NAMES[move]);
  button.title = words
    ? `${NAMES[move]}: ${words} (${KEYS[move]})`
    : `Nothing to ${move} (${KEYS[move]})`;
}

function onKey(bar, event) {
  const move = moveOf(event);
  if (!move || event.defaultPrevented || isTyped(event.composedPath()[0])) return;
  event.preventDefault();
  press(bar, move);
}

function moveOf(event) {
  if (event.altKey || !(event.ctrlKey || event.metaKey)) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && event.ctrlKey && !event.shiftKey ? "redo" : null;
}

function isTyped(target) {
  return target.matches?.(TYPED) && !NOT_TYPED.has(target.type);
}

// Also where nothing is left by the last word of the page: that word may be old.
function press(bar, move) {
  bar.moves = [...bar.moves, move];
  bar.send({ bar: bar.id, moves: bar.moves });
}
