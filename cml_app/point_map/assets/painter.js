// The graphics card's part: objects are added up in a sheet of sums, as many in one frame as there
// is time for, and the sums are shown as colours.

import { ADD_UP, OF_ONE, TONE, WHOLE } from "./shaders.js";

// What stands for a place that is not known: comparisons with NaN may be optimised away.
const ABSENT = 1e30;
const PALETTE_WIDTH = 1024;
const PLACES = ["x", "y", "fromX", "fromY"];

// null where the browser has no WebGL2, or none that can add up.
export function makePainter(canvas) {
  const gl = canvas.getContext("webgl2", {
    alpha: false,
    antialias: false,
    depth: false,
    powerPreference: "high-performance",
  });
  const [whole, half] = ["EXT_color_buffer_float", "EXT_color_buffer_half_float"].map((name) =>
    gl?.getExtension(name),
  );
  if (!whole && !half) return null;
  const fine = whole && gl.getExtension("EXT_float_blend");
  const painter = {
    gl,
    // Half-precision sums stand still at 2,048 objects a pixel, which is dark enough.
    sumsAs: fine ? gl.RGBA32F : gl.RGBA16F,
    adding: compiled(gl, ADD_UP, OF_ONE, [...PLACES, "code"]),
    toning: compiled(gl, WHOLE, TONE, []),
    buffers: new Map(),
    sums: null,
    count: 0,
    coded: 0,
    gliding: false,
    entries: 2,
  };
  gl.disable(gl.DITHER);
  painter.points = gl.createVertexArray();
  painter.nothing = gl.createVertexArray();
  painter.palette = gl.createTexture();
  return painter;
}

export function isSoftware({ gl }) {
  const told = gl.getExtension("WEBGL_debug_renderer_info");
  const name = gl.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export function uploadPlaces(painter, { x, y, count, placed }) {
  const known = (values) =>
    placed >= count ? values : values.map((v) => (Number.isNaN(v) ? ABSENT : v));
  painter.count = count;
  fill(painter, "x", known(x));
  fill(painter, "y", known(y));
}

// The places that are there now become those that the objects come from.
export function keepPlaces(painter) {
  for (const [now, from] of [
    ["x", "fromX"],
    ["y", "fromY"],
  ]) {
    painter.gl.deleteBuffer(painter.buffers.get(from) ?? null);
    painter.buffers.set(from, painter.buffers.get(now));
    painter.buffers.delete(now);
  }
  painter.gliding = true;
}

export function forgetPlaces(painter) {
  for (const name of ["fromX", "fromY"]) {
    painter.gl.deleteBuffer(painter.buffers.get(name) ?? null);
    painter.buffers.delete(name);
  }
  painter.gliding = false;
}

export function uploadCodes(painter, codes) {
  painter.coded = codes?.length ?? 0;
  fill(painter, "code", codes);
}

export function uploadPalette(painter, colours) {
  const { gl } = painter;
  const [wide, high] = [
    Math.min(PALETTE_WIDTH, colours.length),
    Math.ceil(colours.length / PALETTE_WIDTH),
  ];
  const bytes = new Uint8Array(4 * wide * high);
  colours.forEach((rgb, k) => bytes.set([...rgb, 255], 4 * k));
  gl.bindTexture(gl.TEXTURE_2D, painter.palette);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, wide, high, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  plain(gl);
  painter.entries = colours.length;
}

// Begins the sums anew, on a sheet of so many pixels.
export function beginSums(painter, wide, high) {
  const { gl } = painter;
  if (painter.sums?.wide !== wide || painter.sums.high !== high) {
    freeSums(painter);
    painter.sums = makeSums(painter, wide, high);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, painter.sums.frame);
  gl.clearColor(0, 0, 0, 0);
  gl.clear(gl.COLOR_BUFFER_BIT);
}

// look: {view, share, radius, ratio, mode, rim, rimLight}; the slots from … to join the sums.
export function addUp(painter, look, from, to) {
  if (to <= from || !painter.buffers.get("x")) return;
  const { gl, adding, sums } = painter;
  const { view } = look;
  gl.bindFramebuffer(gl.FRAMEBUFFER, sums.frame);
  gl.viewport(0, 0, sums.wide, sums.high);
  gl.useProgram(adding.program);
  point(painter);
  const { at } = adding;
  const [across, up] = [(2 * view.scale) / view.width, (2 * view.scale) / view.height];
  gl.uniform4f(at("view"), view.cx, view.cy, across, up);
  gl.uniform1f(at("share"), painter.gliding ? look.share : 1);
  gl.uniform1f(at("radius"), look.radius);
  gl.uniform1f(at("ratio"), look.ratio);
  gl.uniform1f(at("rim"), look.rim);
  gl.uniform3f(at("rimLight"), ...look.rimLight);
  withPalette(painter, adding, look.mode);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE);
  gl.drawArrays(gl.POINTS, from, to - from);
  gl.disable(gl.BLEND);
}

// look: {mode, scale, crowd, single, deepest, ratio, background, ink, rimLight, grid, gridShare}
export function showSums(painter, look) {
  const { gl, toning, sums } = painter;
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.viewport(0, 0, sums.wide, sums.high);
  gl.useProgram(toning.program);
  gl.bindVertexArray(painter.nothing);
  const { at } = toning;
  for (const name of ["scale", "crowd", "single", "deepest", "ratio", "gridShare"]) {
    gl.uniform1f(at(name), look[name]);
  }
  for (const name of ["background", "ink", "rimLight"]) gl.uniform3f(at(name), ...look[name]);
  gl.uniform4f(at("grid"), ...look.grid);
  gl.activeTexture(gl.TEXTURE1);
  gl.bindTexture(gl.TEXTURE_2D, sums.texture);
  gl.uniform1i(at("sums"), 1);
  withPalette(painter, toning, look.mode);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

export function closePainter(painter) {
  const { gl } = painter;
  freeSums(painter);
  for (const buffer of painter.buffers.values()) gl.deleteBuffer(buffer);
  gl.getExtension("WEBGL_lose_context")?.loseContext();
}

function withPalette(painter, { at }, mode) {
  const { gl } = painter;
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, painter.palette);
  gl.uniform1i(at("palette"), 0);
  gl.uniform1i(at("mode"), mode);
  gl.uniform1i(at("entries"), painter.entries);
}

function point({ gl, points, buffers, gliding, coded, count }) {
  gl.bindVertexArray(points);
  PLACES.forEach((name, k) => {
    const buffer = buffers.get(gliding || k < 2 ? name : PLACES[k - 2]);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(k);
    gl.vertexAttribPointer(k, 1, gl.FLOAT, false, 0, 0);
  });
  const codes = buffers.get("code");
  // Those of a map with more objects may have come before its places.
  if (codes && coded === count) {
    gl.bindBuffer(gl.ARRAY_BUFFER, codes);
    gl.enableVertexAttribArray(4);
    gl.vertexAttribIPointer(4, 1, gl.UNSIGNED_SHORT, 0, 0);
  } else {
    gl.disableVertexAttribArray(4);
    gl.vertexAttribI4ui(4, 0, 0, 0, 0);
  }
}

function fill(painter, name, values) {
  const { gl, buffers } = painter;
  if (!values) {
    gl.deleteBuffer(buffers.get(name) ?? null);
    buffers.delete(name);
    return;
  }
  if (!buffers.has(name)) buffers.set(name, gl.createBuffer());
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers.get(name));
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
}

function makeSums({ gl, sumsAs }, wide, high) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, sumsAs, wide, high);
  plain(gl);
  const frame = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return { texture, frame, wide, high };
}

function freeSums(painter) {
  if (!painter.sums) return;
  painter.gl.deleteTexture(painter.sums.texture);
  painter.gl.deleteFramebuffer(painter.sums.frame);
  painter.sums = null;
}

function plain(gl) {
  for (const [name, value] of [
    [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
    [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
    [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
    [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
  ]) {
    gl.texParameteri(gl.TEXTURE_2D, name, value);
  }
}

// places: the names of attributes, in the order of their numbers.
function compiled(gl, vertex, fragment, places) {
  const made = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(made, shader);
  }
  places.forEach((name, k) => gl.bindAttribLocation(made, k, name));
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS) && !gl.isContextLost()) {
    const told = gl.getAttachedShaders(made).map((shader) => gl.getShaderInfoLog(shader));
    throw new Error([gl.getProgramInfoLog(made), ...told].join("\n"));
  }
  const found = new Map();
  const at = (name) => {
    if (!found.has(name)) found.set(name, gl.getUniformLocation(made, name));
    return found.get(name);
  };
  return { program: made, at };
}
