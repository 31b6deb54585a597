// What objects are called: the server is asked for the few that are labelled or looked at.

import { redraw, relabel } from "../../discovery_map/assets/render.js";
import { cardWords } from "../../discovery_map/assets/card.js";

// As many as the server answers at once.
const NAMES_AT_ONCE = 64;
// In milliseconds, so that a pointer that only passes asks for nothing.
const BEFORE_ASKING = 60;
const MOST_NAMES_KEPT = 20000;

export function namesAt(address) {
  return { address, known: new Map(), wanted: new Set(), timer: 0 };
}

export function takeNames(m, address) {
  if (address === m.names.address) return;
  clearTimeout(m.names.timer);
  m.names = namesAt(address);
}

// Empty where it has none, or is not known yet; then it is asked for.
export function nameOf(m, slot) {
  const { address, known, wanted } = m.names;
  const object = m.cloud.objectAt(slot);
  if (!address || known.has(object)) return known.get(object) ?? "";
  wanted.add(object);
  askNamesSoon(m, m.names);
  return "";
}

export function toggleNames(m) {
  m.namesShown = !m.namesShown;
  showNamesButton(m);
  labelAgain(m);
  m.announce(m.namesShown ? "Names are shown." : "Names are hidden.");
}

export function showNamesButton(m) {
  const button = m.root.querySelector('[data-action="names"]');
  button.hidden = !m.names.address;
  button.setAttribute("aria-pressed", String(m.namesShown));
}

function askNamesSoon(m, names) {
  names.timer ||= setTimeout(() => askForNames(m, names), BEFORE_ASKING);
}

async function askForNames(m, names) {
  const objects = [...names.wanted].slice(-NAMES_AT_ONCE);
  names.wanted.clear();
  try {
    const answer = await fetch(`${names.address}?of=${objects.join(",")}`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const told = await answer.json();
    if (names.known.size > MOST_NAMES_KEPT) names.known.clear();
    objects.forEach((object, k) => names.known.set(object, told[k]));
    if (names === m.names && !m.closed) named(m, objects);
  } catch (error) {
    // They are asked for again with the next view.
    console.warn(`point map: names: ${error.message}`);
  } finally {
    names.timer = 0;
    if (names.wanted.size) askNamesSoon(m, names);
  }
}

function named(m, objects) {
  labelAgain(m);
  m.card.refresh();
  const current = m.current < 0 ? -1 : m.cloud.objectAt(m.current);
  if (m.keyboardHere && objects.includes(current)) m.announce(cardWords(m, m.current));
}

function labelAgain(m) {
  if (m.motion) m.motion.to.labels = m.labelsFor(m, m.motion.to.view);
  else relabel(m);
  redraw(m);
}
