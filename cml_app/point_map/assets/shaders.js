// The programs of the graphics card. The first adds up, for each pixel, what the objects there
// tell; the second makes a colour of the sum. Sums do not depend on the order of the objects, so
// none hides another, and they may come in any number of frames.
//
// A sum holds the number of objects (a), and of what they tell, as the kind of colours asks
//   alike, levels   red, green and blue in linear light, rims included
//   amounts         their values (r), how many have one (g), how many are rims (b)
//   angles          their cosines (r) and sines (g), how many are rims (b)

export const ADD_UP = `#version 300 es
precision highp float;
precision highp int;
in float x, y, fromX, fromY;
in uint code;
uniform vec4 view;
uniform float share, radius, ratio;
uniform int mode, entries;
uniform sampler2D palette;
flat out vec4 told;
const uint MISSING = 65535u;
const float ABSENT = 1e29;

vec3 linear(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

void main() {
  bool here = x < ABSENT, was = fromX < ABSENT;
  vec2 now = here ? vec2(x, y) : vec2(fromX, fromY);
  vec2 before = was ? vec2(fromX, fromY) : vec2(x, y);
  float weight = share >= 1.0 ? float(here) : mix(float(was), float(here), share);
  vec2 place = share >= 1.0 ? now : mix(before, now, share);
  gl_Position = weight > 0.0 ? vec4((place - view.xy) * view.zw, 0.0, 1.0) : vec4(9.0, 9.0, 9.0, 1.0);
  gl_PointSize = 2.0 * radius * ratio + 1.0;
  bool missing = code == MISSING;
  float value = float(code) / 65534.0;
  if (mode == 2) told = vec4(missing ? 0.0 : value, missing ? 0.0 : 1.0, 0.0, 1.0);
  else if (mode == 3) {
    told = missing ? vec4(0.0, 0.0, 0.0, 1.0)
      : vec4(cos(6.2831853 * value), sin(6.2831853 * value), 0.0, 1.0);
  } else {
    int wide = textureSize(palette, 0).x;
    int last = entries - 1;
    int k = mode == 0 ? 0 : missing ? last : min(int(code), last);
    told = vec4(linear(texelFetch(palette, ivec2(k % wide, k / wide), 0).rgb), 1.0);
  }
  told *= weight;
}`;

export const OF_ONE = `#version 300 es
precision highp float;
precision highp int;
flat in vec4 told;
uniform float radius, ratio, rim;
uniform vec3 rimLight;
uniform int mode;
out vec4 sum;

void main() {
  float size = 2.0 * radius * ratio + 1.0;
  float off = length(gl_PointCoord - 0.5) * size;
  float edge = radius * ratio;
  float cover = clamp(edge + 0.5 - off, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float rimmed = rim * smoothstep(edge - 1.6 * ratio, edge - 0.4 * ratio, off);
  vec4 one = told;
  if (mode > 1) one.b = rimmed * told.a;
  else one.rgb = mix(told.rgb, told.rgb * rimLight.x + rimLight.y, rimmed);
  sum = one * cover;
}`;

export const WHOLE = `#version 300 es
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

export const TONE = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D sums, palette;
uniform int mode, entries;
uniform float scale, crowd, single, deepest, ratio;
uniform vec3 background, ink, rimLight;
uniform vec4 grid;
uniform float gridShare;
out vec4 seen;

vec3 linear(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

vec3 shown(vec3 c) {
  return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec3 entry(int k) {
  int wide = textureSize(palette, 0).x;
  return texelFetch(palette, ivec2(k % wide, k / wide), 0).rgb;
}

vec3 colourAt(float value) {
  float place = clamp(value, 0.0, 1.0) * float(entries - 2);
  int k = int(place);
  return linear(mix(entry(k), entry(min(k + 1, entries - 2)), fract(place)));
}

vec3 colourOf(vec4 sum) {
  if (mode < 2) return sum.rgb / sum.a;
  vec3 grey = linear(entry(entries - 1));
  float rimmed = sum.b / sum.a;
  vec3 colour;
  if (mode == 2) {
    vec3 known = sum.g > 0.0 ? colourAt(sum.r / sum.g) : grey;
    colour = mix(grey, known, sum.g / sum.a);
  } else {
    // Where directions disagree there is none to be shown.
    float agreed = length(sum.rg) / sum.a;
    float turn = atan(sum.g, sum.r) / 6.2831853;
    colour = mix(grey, colourAt(turn < 0.0 ? turn + 1.0 : turn), smoothstep(0.0, 0.6, agreed));
  }
  return mix(colour, colour * rimLight.x + rimLight.y, rimmed);
}

void main() {
  vec2 at = gl_FragCoord.xy;
  vec2 off = abs(at - grid.xy - grid.zw * round((at - grid.xy) / grid.zw));
  bool line = min(off.x, off.y) < 0.5 * max(1.0, floor(ratio));
  vec3 sheet = line ? mix(background, ink, gridShare) : background;
  vec4 sum = texelFetch(sums, ivec2(at), 0);
  seen = vec4(sheet, 1.0);
  if (sum.a <= 0.0) return;
  float number = sum.a * scale;
  float depth = clamp(log(max(number, 1.0)) / log(max(crowd, 2.0)), 0.0, 1.0);
  float cover = number < 1.0 ? single * number : mix(single, 1.0, depth);
  vec3 colour = colourOf(sum);
  // Where many lie the tone goes on to tell how many.
  colour = mix(colour, colour * rimLight.x + rimLight.y, deepest * depth * depth);
  seen.rgb = mix(sheet, shown(colour), cover);
}`;
