// The colours and the font of the page around the map, as Streamlit's style variables tell them.

export function readTheme(root) {
  const style = getComputedStyle(root);
  const variable = (name, otherwise) => {
    const value = style.getPropertyValue(`--st-${name}`).trim();
    return value && value !== "unset" ? value : otherwise;
  };
  const background = variable("background-color", "#ffffff");
  const dark = luminance(rgbOf(background)) < 0.4;
  return {
    dark,
    background,
    panel: variable("secondary-background-color", dark ? "#262730" : "#f0f2f6"),
    text: variable("text-color", dark ? "#fafafa" : "#31333f"),
    primary: variable("primary-color", "#0b7285"),
    font: variable("font", "sans-serif"),
    fontSize: Math.max(11, Math.min(18, parseFloat(variable("base-font-size", "16")) * 0.875)),
    // What is drawn must stand out from every palette and from either background.
    ink: dark ? "#ff8fab" : "#c2255c",
    missing: dark ? "#a3a8b4" : "#80858f",
  };
}

export function sameTheme(a, b) {
  return Object.keys(a).every((key) => a[key] === b[key]);
}

// [red, green, blue] of any colour that CSS knows.
export function rgbOf(colour) {
  const digits = /^#([0-9a-f]{6})$/i.exec(colour);
  if (digits) return [0, 2, 4].map((k) => parseInt(digits[1].slice(k, k + 2), 16));
  const probe = document.createElement("canvas");
  probe.width = probe.height = 1;
  const context = probe.getContext("2d", { willReadFrequently: true });
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return Array.from(context.getImageData(0, 0, 1, 1).data.slice(0, 3));
}

export function hex(rgb) {
  return `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;
}

export function mixed(from, to, t) {
  return from.map((v, k) => v + t * (to[k] - v));
}

export function luminance([red, green, blue]) {
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}
