// SPDX-License-Identifier: BSD-3-Clause
// SVG elements, scales and numbers.
const SVG = "http://www.w3.org/2000/svg";
const svgNode = (name, attributes = {}, ...inner) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") node.style.cssText = value;
    else node.setAttribute(key, value);
  }
  node.append(...inner);
  return node;
};
const htmlNode = (name, attributes = {}, ...inner) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...inner);
  return node;
};
const colour = (name) => `fill:var(--${name})`;
const COLOURS = { sec1: "sec1", sec2: "sec2", sec3: "sec3", sec4: "sec4", "data frame": "data",
  "Enh-Ack": "ack", TsMaxTx: "data", TsMaxAck: "ack" };
const colourOf = (phase) => COLOURS[phase] ?? "rest";
// Dark text stands on light colours, light text on dark ones.
const inkOn = (phase) => ({ data: "#fff", sec1: "#fff", rest: "var(--ink)" })[colourOf(phase)] ?? "#111";

const linear = ([from, to], [low, high]) => (x) => low + ((x - from) / (to - from)) * (high - low);
// Round places for the marks of an axis.
const ticks = (from, to, most) => {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const found = [];
  for (let n = Math.ceil(from / step - 1e-9); n * step <= to + step * 1e-6; n += 1) {
    found.push(Number((n * step).toPrecision(10)));
  }
  return found;
};
const text = (value, digits) => (value === null || value === undefined ? "–" : value.toFixed(digits));
const ms = (us, digits = 2) => text(us === null ? null : us / 1000, digits);
const fits = (words, width, size = 12) => words.length * size * 0.6 < width;
