// SPDX-License-Identifier: BSD-3-Clause
// Two figures with one scale of time: the slot in lanes, and the current of both nodes.
const LANE = 26;
const GAP = 7;

// Parts of the template, in µs: what the standard's values say of the slot.
const templateOf = (row) => {
  const offset = row.ts_tx_offset_us;
  const tick = 1e6 / row.tick_hz;
  const sent = offset + row.ts_max_tx_ticks * tick;
  const ack = sent + row.ts_tx_ack_delay_us;
  const acked = ack + row.ts_max_ack_ticks * tick;
  return {
    values: [["TsTxOffset", 0, offset], ["TsMaxTx", offset, sent], ["TsTxAckDelay", sent, ack],
      ["TsMaxAck", ack, acked], ["sec4", acked, row.ts_slot_duration_us]],
    guards: [["guard", offset - row.ts_rx_guard_us, offset + row.ts_rx_guard_us],
      ["guard", ack - row.ts_ack_guard_us, ack + row.ts_ack_guard_us]],
  };
};
const lanesOf = (row) => {
  const { values, guards } = templateOf(row);
  const spans = row.trace ? row.trace.spans : {};
  const lanes = [];
  for (const [node, own] of Object.entries(spans)) lanes.push({ name: node, parts: own });
  if (!row.trace) { // the parts of the row: sender's and receiver's work, one after the other
    let at = 0;
    const parts = row.phases.map(([name, us]) => [name, at, (at += us)]);
    lanes.push({ name: "both", parts });
  }
  lanes.push({ name: "template", parts: values, outline: true });
  lanes.push({ name: "listens", parts: guards, guard: true });
  return lanes;
};

const axis = (svg, x, view, height, width, left) => {
  for (const at of ticks(view[0], view[1], width < 500 ? 5 : 10)) {
    const place = x(at);
    svg.append(svgNode("line", { x1: place, x2: place, y1: 16, y2: height - 18,
      style: "stroke:var(--line)" }));
    const label = svgNode("text", { x: place, y: height - 5, "text-anchor": "middle",
      style: colour("soft") }, `${Number((at / 1000).toPrecision(6))}`);
    if (place > left + 4 && place < width - 26) svg.append(label);
  }
  svg.append(svgNode("text", { x: width, y: height - 5, "text-anchor": "end",
    style: colour("soft") }, "ms"));
};
const marker = (svg, x, at, view, name, look, height, before) => {
  if (at === null || at < view[0] || at > view[1]) return;
  const place = x(at);
  svg.append(svgNode("line", { x1: place, x2: place, y1: 16, y2: height - 18, "stroke-width": 1.5,
    "stroke-dasharray": before ? "3 3" : "none", style: `stroke:var(--${look})` }));
  svg.append(svgNode("text", { x: place + (before ? -4 : 4), y: 12,
    "text-anchor": before ? "end" : "start", style: colour(look) }, name));
};

const drawSlot = (row, view, width, title, standardUs) => {
  const lanes = lanesOf(row);
  const left = width < 500 ? 58 : 74;
  const height = 22 + lanes.length * (LANE + GAP) + 20;
  const svg = svgNode("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-size": 12,
    "font-family": "system-ui, DejaVu Sans, sans-serif", role: "img", "aria-label": title });
  const x = linear(view, [left, width - 4]);
  const clip = (from, to) => [Math.max(from, view[0]), Math.min(to, view[1])];
  axis(svg, x, view, height, width, left);
  lanes.forEach((lane, n) => {
    const y = 22 + n * (LANE + GAP);
    svg.append(svgNode("text", { x: 0, y: y + 17, style: colour("ink") }, lane.name));
    for (const [name, from, to] of lane.parts) {
      const [a, b] = clip(from, to);
      if (b <= a) continue;
      const wide = x(b) - x(a);
      const look = lane.guard ? "guard" : colourOf(name);
      const box = svgNode("rect", { x: x(a), y: lane.guard ? y + 4 : y, width: Math.max(wide, 0.7),
        height: lane.guard ? LANE - 8 : LANE, "data-phase": name, "data-from": from, "data-to": to,
        style: lane.outline ? `fill:var(--wash);stroke:var(--soft)` : colour(look) });
      box.append(svgNode("title", {}, `${lane.name}, ${name}: ${(to - from).toFixed(1)} µs, `
        + `from ${(from / 1000).toFixed(3)} ms`));
      svg.append(box);
      if (fits(name, wide)) {
        svg.append(svgNode("text", { x: (x(a) + x(b)) / 2, y: y + 17, "text-anchor": "middle",
          "pointer-events": "none",
          style: lane.outline ? colour("ink") : `fill:${lane.guard ? "#111" : inkOn(name)}` }, name));
      }
    }
  });
  marker(svg, x, row.limit_us, view, "radio’s limit", "soft", height, true);
  const late = x(standardUs) > width - 50;
  marker(svg, x, standardUs, view, late ? "10" : `${standardUs / 1000} ms`, "bad", height, false);
  return svg;
};

const drawCurrent = (row, view, width, title) => {
  const nodes = row.trace ? Object.keys(row.trace.steps) : [];
  const left = width < 500 ? 58 : 74;
  const tall = 92;
  const height = 18 + nodes.length * (tall + 12) + 18;
  const svg = svgNode("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-size": 12,
    "font-family": "system-ui, DejaVu Sans, sans-serif", role: "img", "aria-label": title });
  const x = linear(view, [left, width - 4]);
  axis(svg, x, view, height, width, left);
  nodes.forEach((node, n) => {
    const top = 18 + n * (tall + 12);
    const steps = row.trace.steps[node];
    const most = Math.max(...steps.map((step) => step[1]));
    const y = linear([0, most * 1.08], [top + tall, top]);
    for (const [name, from, to] of row.trace.spans[node]) {
      const [a, b] = [Math.max(from, view[0]), Math.min(to, view[1])];
      if (b <= a || colourOf(name) === "rest") continue;
      svg.append(svgNode("rect", { x: x(a), y: top, width: x(b) - x(a), height: tall,
        "fill-opacity": 0.35, style: colour(colourOf(name)) }));
    }
    for (const at of ticks(0, most, 3)) {
      svg.append(svgNode("text", { x: left - 5, y: y(at) + 4, "text-anchor": "end",
        style: colour("soft") }, `${at}`));
    }
    const points = [];
    steps.forEach(([us, ma], at) => {
      const until = at + 1 < steps.length ? steps[at + 1][0] : row.trace.slot_us;
      if (until < view[0] || us > view[1]) return;
      points.push(`${x(Math.max(us, view[0])).toFixed(2)},${y(ma).toFixed(2)}`,
        `${x(Math.min(until, view[1])).toFixed(2)},${y(ma).toFixed(2)}`);
    });
    svg.append(svgNode("polyline", { points: points.join(" "), fill: "none", "stroke-width": 1.6,
      style: "fill:none;stroke:var(--ink)" }));
    svg.append(svgNode("text", { x: 0, y: top + 12, style: colour("ink") }, node));
    svg.append(svgNode("text", { x: 0, y: top + 28, style: colour("soft") }, "mA"));
  });
  return svg;
};

// What is at a moment: the phase, the current and the states of both nodes.
const statesAt = (row, us) => Object.entries(row.trace ? row.trace.steps : {}).map(([node, steps]) => {
  const step = steps.findLast((one) => one[0] <= us) ?? steps[0];
  const states = step[3].map((place) => row.trace.states[place]).join(", ");
  return `${node}: ${row.trace.phases[step[2]]}, ${step[1].toFixed(2)} mA (${states})`;
});
