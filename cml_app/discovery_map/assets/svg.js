// Marks as SVG: elements of the page for the overlay, or text for a file.

import { rimOf, shapeOutline } from "./marks.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

// Replaces what an <svg> of the page holds.
export function showMarks(svg, marks) {
  svg.replaceChildren(...marks.flatMap(describe).map(toElement));
}

export function svgElement(tag, attributes) {
  return toElement(element(tag, attributes));
}

// inner: pictures within this one, as texts.
export function svgText(marks, width, height, title, [x, y] = [0, 0], inner = []) {
  const place = x || y ? `x="${number(x)}" y="${number(y)}" ` : "";
  const head = `<svg xmlns="${NAMESPACE}" ${place}width="${width}" height="${height}" role="img" `;
  const body = [...marks.flatMap(describe).map(toText), ...inner].join("\n");
  const named = `<title>${escaped(title)}</title>`;
  return `${head}viewBox="0 0 ${width} ${height}">\n${named}\n${body}\n</svg>\n`;
}

// A mark as one or more {tag, attributes, text}.
function describe(mark) {
  const ways = { path: describePath, dot: describeDot, text: describeText, image: describeImage };
  return ways[mark.kind](mark);
}

function describePath(mark) {
  const d = mark.lines.map((line) => outline(line, mark.closed)).join("");
  const stroked = mark.stroke !== "none";
  return [
    element("path", {
      d,
      fill: mark.fill,
      "fill-opacity": mark.fillOpacity,
      stroke: mark.stroke,
      "stroke-opacity": mark.strokeOpacity,
      "stroke-width": stroked ? mark.width : undefined,
      "stroke-linecap": mark.cap,
      "stroke-linejoin": mark.join,
      "stroke-dasharray": mark.dash?.join(" "),
      opacity: mark.opacity,
    }),
  ];
}

function describeImage({ image, x, y, width, height }) {
  const box = { x: number(x), y: number(y), width: number(width), height: number(height) };
  return [
    element("image", { ...box, href: image.src ?? image.toDataURL(), preserveAspectRatio: "none" }),
  ];
}

function describeDot({ x, y, radius, style, opacity }) {
  const look = (extra) => ({ ...extra, "stroke-linejoin": "round", opacity });
  const under = { fill: "none", stroke: style.halo, "stroke-width": 3 * rimOf(radius) };
  const rim = rimOf(radius) * (style.hollow ? 1.5 : 1);
  const over = { fill: style.fill, stroke: style.stroke, "stroke-width": rim };
  const shape =
    style.shape === "circle"
      ? { tag: "circle", place: { cx: number(x), cy: number(y), r: radius } }
      : { tag: "path", place: { d: outline(shapeOutline(style.shape, x, y, radius), true) } };
  return [under, over].map((paint) => element(shape.tag, { ...shape.place, ...look(paint) }));
}

function describeText(mark) {
  const text = element(
    "text",
    {
      x: number(mark.x),
      y: number(mark.y),
      "font-family": mark.font,
      "font-size": mark.size,
      "font-weight": mark.weight,
      "dominant-baseline": "central",
      fill: mark.fill,
      stroke: mark.halo,
      "stroke-width": mark.halo ? 3.5 : undefined,
      "stroke-linejoin": mark.halo ? "round" : undefined,
      "paint-order": mark.halo ? "stroke" : undefined,
      opacity: mark.opacity === 1 ? undefined : mark.opacity,
    },
    mark.text,
  );
  if (!mark.underlined) return [text];
  const place = { x: number(mark.x), y: number(mark.y + mark.size * 0.62) };
  const line = { ...place, width: number(mark.underlined), height: 1.5, fill: mark.fill };
  return [text, element("rect", line)];
}

function element(tag, attributes, text) {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return { tag, attributes: given, text };
}

function outline(points, closed) {
  const steps = points.map(([x, y], k) => `${k ? "L" : "M"}${number(x)} ${number(y)}`);
  return steps.join("") + (closed ? "Z" : "");
}

function number(value) {
  return String(Math.round(value * 100) / 100);
}

function toElement({ tag, attributes, text }) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of attributes) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function toText({ tag, attributes, text }) {
  const one = ([name, value]) => ` ${name}="${escaped(String(value))}"`;
  const written = attributes.map(one).join("");
  return text === undefined ? `<${tag}${written}/>` : `<${tag}${written}>${escaped(text)}</${tag}>`;
}

function escaped(text) {
  const named = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return xmlCharacters(text).replace(/[&<>"']/g, (character) => named[character]);
}

// XML has no room for control characters and halves of surrogate pairs.
function xmlCharacters(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const none = /^[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]$/;
  return Array.from(text, (c) => (none.test(c) ? "\ufffd" : c)).join("");
}
