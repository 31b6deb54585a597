// What is on its way: the parts of the places, one after the other, and the colours.

import { fittedView } from "../../discovery_map/assets/view.js";
import { GLIDE, motionWanted, startMotion } from "../../discovery_map/assets/motion.js";
import { fitView } from "../../discovery_map/assets/render.js";
import { placePart, placesIn, makeCloud, sizeOfPart } from "./cloud.js";
import { codesOf, valuesIn } from "./colours.js";
import { crowdIndex, emptyIndex } from "./crowd_index.js";
import { crowdingOf } from "./crowding.js";
import { askAgain, fetched } from "./fetching.js";
import { labelsOfFew } from "./labelled.js";
import { forgetPlaces, keepPlaces } from "./painter.js";
import { inSlices } from "./slices.js";

const GROWN = 1.2;

// changed(m): other places are to be seen.
export function takePlaces(m, data, changed) {
  const addresses = data.parts.map(({ address }) => address);
  const { delivery } = m;
  const goesOn =
    delivery?.map_id === data.map_id &&
    delivery.cloud.count === data.count &&
    !delivery.failed &&
    delivery.addresses.every((address, k) => address === addresses[k]);
  if (goesOn) {
    const news = data.parts.slice(delivery.addresses.length);
    delivery.addresses = addresses;
    delivery.waiting.push(...news);
  } else {
    delivery?.abort.abort();
    m.delivery = {
      map_id: data.map_id,
      cloud: makeCloud(data.count, data.stride),
      addresses,
      waiting: [...data.parts],
      abort: new AbortController(),
      changed,
      busy: false,
    };
    if (!data.parts.length) showCloud(m, m.delivery.cloud);
  }
  if (!m.delivery.busy) bring(m, m.delivery);
}

export function stopArrivals(m) {
  m.delivery?.abort.abort();
  m.colourComing?.abort();
  m.newcomersComing?.abort();
}

async function bring(m, delivery) {
  const wanted = () => m.delivery === delivery && !m.closed;
  delivery.busy = true;
  try {
    while (delivery.waiting.length) {
      m.coming = { share: 0 };
      await bringPart(m, delivery, delivery.waiting.shift(), wanted);
      if (!wanted()) return;
    }
    const index = delivery.cloud.placed ? await crowdIndex(delivery.cloud, wanted) : null;
    if (!wanted()) return;
    if (index) m.index = index;
    m.coming = null;
    m.failures = 0;
  } catch (error) {
    if (!wanted()) return;
    delivery.failed = true;
    m.coming = { share: 1, trouble: "The places could not be fetched; they are asked for again." };
    askAgain(m, wanted, () => takePlaces(m, m.scene, delivery.changed));
    console.warn(`point map: places: ${error.message}`);
  } finally {
    delivery.busy = false;
    if (wanted()) {
      delivery.changed(m);
      if (delivery.waiting.length && !delivery.failed) bring(m, delivery);
    }
  }
}

async function bringPart(m, delivery, part, wanted) {
  const { cloud, abort } = delivery;
  let done = 0;
  const upTo = (bytes, count) => {
    placePart(cloud, part, bytes, done, count);
    done = count;
  };
  // On the way to another map the objects wait until all of them can go.
  const early = part.all && (!m.cloud.placed || m.cloud === cloud);
  const bytes = await fetched(part.address, sizeOfPart(part), abort.signal, (some, count) => {
    m.coming = { share: count / some.length };
    if (!wanted()) return;
    if (early) {
      upTo(some, placesIn(part, count));
      showCloud(m, cloud);
    }
    delivery.changed(m);
  });
  m.bytes = (m.bytes ?? 0) + bytes.length;
  await inSlices(part.count - done, () => upTo(bytes, Math.min(part.count, done + 16384)), wanted);
  if (wanted()) showCloud(m, cloud);
}

// The places of `cloud`, as far as they are known, are those of the map.
function showCloud(m, cloud) {
  const before = { view: m.view, labels: m.labels, cloud: m.cloud };
  const another = cloud !== m.cloud;
  const bounds = m.around(cloud.box);
  const grown = !sameBox(m.bounds, bounds);
  Object.assign(m, { cloud, x: cloud.x, y: cloud.y, bounds: bounds ?? m.bounds });
  // Not after every few objects that came.
  if (another || cloud.placed > GROWN * m.crowding.among || cloud.placed === cloud.count) {
    m.crowding = crowdingOf(cloud);
  }
  if (another) {
    m.index = emptyIndex(cloud.x, cloud.y);
    m.card.hide();
    m.current = -1;
    m.uploaded = -1;
  }
  if (!m.view.width || !cloud.placed) return;
  if (another) glideFrom(m, before);
  else if (grown && m.fitted) fitView(m);
}

function glideFrom(m, before) {
  const { width, height } = m.view;
  const view = fittedView(m.bounds, width, height, m.margin);
  m.fitted = true;
  m.fitScale = view.scale;
  const known = before.cloud.placed > 0;
  if (known) m.announce(`The map has changed. ${m.scene.title}`);
  const same = known && before.cloud.count === m.cloud.count;
  if (m.painter?.buffers.get("x")) {
    if (same && motionWanted()) keepPlaces(m.painter);
    else forgetPlaces(m.painter);
  }
  m.landmarks = m.scene.landmarks.map(([i, text]) => ({ slot: m.cloud.slotOf(i), text }));
  m.legend.settle(view, 1);
  const { x, y } = m;
  const to = { view, x, y, labels: labelsOfFew(m, view) };
  m.motion = m.glide = null;
  if (!same || !m.painter || !motionWanted()) {
    Object.assign(m, to);
    return;
  }
  m.arrival = 0;
  startMotion(m, { view: before.view, x, y, labels: before.labels }, to, GLIDE);
  m.glide = m.motion;
}

export function sameBox(a, b) {
  return b === null || ["left", "right", "bottom", "top"].every((side) => a[side] === b[side]);
}

// shown(m): there are other colours.
export async function takeColour(m, data, shown) {
  const { colour } = data;
  if ((colour?.address ?? null) === (m.colourAddress ?? null) && m.coloursOf === data.count) {
    const told = JSON.stringify(colour);
    if (told === m.colourTold) return;
    m.colourTold = told;
    if (m.colour && !m.colouringComes) m.colour = colour;
    shown(m);
    return;
  }
  m.colourComing?.abort();
  const abort = new AbortController();
  Object.assign(m, { colourComing: abort, colourAddress: colour?.address ?? null });
  m.colourTold = JSON.stringify(colour);
  m.colouringComes = Boolean(colour);
  if (m.coloursOf !== data.count || !colour) {
    Object.assign(m, { colour: null, values: null, codes: null, coloursOf: data.count });
    shown(m);
  }
  if (!colour) return;
  const wanted = () => m.colourComing === abort && !m.closed;
  try {
    const size = data.count * (colour.values === "uint16" ? 2 : 4);
    const bytes = await fetched(colour.address, size, abort.signal);
    m.bytes = (m.bytes ?? 0) + bytes.length;
    const values = valuesIn(colour, bytes);
    const codes = await codesOf(colour, values, wanted);
    if (!wanted()) return;
    m.colouringComes = false;
    Object.assign(m, { colour, values, codes });
    shown(m);
  } catch (error) {
    if (!wanted()) return;
    m.colourAddress = null;
    m.announce("The colours could not be fetched; they are asked for again.");
    askAgain(m, wanted, () => takeColour(m, m.scene, shown));
    console.warn(`point map: colours: ${error.message}`);
  }
}
