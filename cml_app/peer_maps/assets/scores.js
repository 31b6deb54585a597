// How far a picture may be believed, in numbers with their names; never one number alone.

import { made } from "../../discovery_map/assets/legend.js";

// Shares of features are shown from here to 1; by chance they are a little below 0.
const LOWEST = -0.3;

export function showScores(root, told, shown) {
  const parts = shown.scores.map(({ name, value, meaning }) => {
    const part = made("span", "", `${name} `);
    part.append(made("b", "", value));
    part.title = meaning;
    return part;
  });
  root.querySelector(".scores").replaceChildren(...parts);
  root.querySelector(".verdict").textContent = shown.verdict;
  const caution = root.querySelector(".caution");
  caution.textContent = told.caution;
  if (told.lesson) caution.append(" ", lessonLink(told));
  const groups = shown.groups.filter(({ features }) => features.length);
  const details = shown.details.map((line) => made("p", "", line));
  root.querySelector(".more").replaceChildren(...groups.flatMap(groupParts), ...details);
}

function lessonLink({ title, lesson }) {
  const link = made("a", "", "More");
  link.href = lesson;
  link.target = "_blank";
  link.setAttribute("aria-label", `More about ${title}`);
  return link;
}

function groupParts({ name, features }) {
  return [made("h4", "", name), ...features.map(featureRow)];
}

// A grey band is where chance lies; only what is beyond it is coloured.
function featureRow({ name, share, words, low, high, beyond }) {
  const row = made("div", "feature");
  const track = made("span", "track");
  track.setAttribute("aria-hidden", "true");
  const band = made("span", "band");
  band.style.left = `${shareOfTrack(low)}%`;
  band.style.width = `${shareOfTrack(high) - shareOfTrack(low)}%`;
  const fill = made("span", beyond ? "fill beyond" : "fill");
  fill.style.left = `${shareOfTrack(Math.min(share, 0))}%`;
  fill.style.width = `${Math.abs(shareOfTrack(share) - shareOfTrack(0))}%`;
  track.append(band, fill);
  row.append(made("span", "", name), track, made("span", "number", words));
  row.title = beyond ? "Beyond chance" : "No more than chance would show";
  return row;
}

function shareOfTrack(share) {
  const held = Math.max(LOWEST, Math.min(1, share));
  return (100 * (held - LOWEST)) / (1 - LOWEST);
}
