// SPDX-License-Identifier: BSD-3-Clause
// The numbers of a case: those of its row, and those that are computed from rows, marked as such.
const cyclesUs = (row, name) => (row[`${name}_cycles`] * 1e6) / row.clock_measured_hz;
const ofRow = (name, unit, field, digits = 0, scale = 1) => ({ name, unit, field, digits, scale,
  value: (row) => (row[field] === null ? null : row[field] * scale) });
const ofPhase = (node, phase) => ({ name: `${node}, ${phase}`, unit: "µC", digits: 1,
  value: (row) => row.energy[node][phase], energy: [node, phase] });
const computed = (name, unit, digits, value) => ({ name, unit, digits, value, computed: true });

const makeMetrics = (model, standardMs) => [
  ["The slot", [
    ofRow("Shortest slot", "ms", "ts_slot_duration_us", 3, 1e-3),
    ofRow("Shortest slot, fast end of the band", "ms", "ts_slot_duration_us_low", 3, 1e-3),
    computed(`Over the standard’s ${standardMs} ms`, "ms", 3,
      (row) => row.ts_slot_duration_us / 1000 - standardMs),
    ofRow("Least that the radio allows", "ms", "limit_us", 3, 1e-3),
    ofRow("Published", "ms", "published_ms", 1),
    ofRow("Published over ours", "×", "published_ratio", 2),
    ofRow("TsTxOffset", "µs", "ts_tx_offset_us"),
    ofRow("TsTxAckDelay", "µs", "ts_tx_ack_delay_us"),
    ofRow("Guard time", "µs", "ts_rx_guard_us"),
    ofRow("Guard time that crystals of 30 ppm need", "µs", "guard_needed_us"),
    ofRow("In step without a correction for", "s", "sync_limit_s", 1),
  ]],
  ["Security", ["sec1", "sec2", "sec3", "sec4"].flatMap((name) => [
    ofRow(`${name}, most seen`, "cycles", `${name}_cycles`),
    computed(`${name}, most seen`, "µs", 0, (row) => cyclesUs(row, name)),
  ])],
  ["Energy of a slot with an exchange", [
    ofRow("Sender", "µJ", "energy_uj", 1), ofRow("Receiver", "µJ", "energy_receiver_uj", 1),
    ...["sender", "receiver"].flatMap((node) => ["cpu", "tx", "rx", "idle", "engine"]
      .map((phase) => ofPhase(node, phase))),
  ]],
];
const makeComputed = (model, use) => {
  const of = (node, pick) => (row) => {
    const life = model.life(row, use(row), node);
    return life && pick(life);
  };
  return [
    computed("Throughput bound", "bit/s", 1, (row) => model.rate(row, use(row))),
    computed("Time between data frames", "s", 2, of("sender", (life) => life.everyS)),
    ...["sender", "receiver"].flatMap((node) => [
      computed(`${node}: slotframe`, "µC", 1, of(node, (life) => life.slotframeUc)),
      computed(`${node}: average current`, "µA", 1, of(node, (life) => 1000 * life.averageMa)),
      computed(`${node}: battery lasts`, "days", 0, of(node, (life) => life.days)),
    ]),
  ];
};

const metricRow = (metric, rows, data) => {
  const found = rows.map((row) => metric.value(row));
  if (found.every((value) => value === null || value === undefined)) return null;
  const line = htmlNode("tr", {}, htmlNode("th", { scope: "row" }, metric.name,
    ...(metric.computed ? [" ", htmlNode("span", { class: "computed" }, "computed")] : [])));
  found.forEach((value, n) => {
    const cell = htmlNode("td", {}, text(value, metric.digits));
    if (metric.field) {
      cell.dataset.row = data.rows.indexOf(rows[n]);
      cell.dataset.field = metric.field;
      cell.dataset.scale = metric.scale;
      cell.dataset.digits = metric.digits;
    }
    line.append(cell);
  });
  if (rows.length === 2) {
    const [a, b] = found;
    const both = typeof a === "number" && typeof b === "number";
    line.append(htmlNode("td", {}, both ? `${b > a ? "+" : ""}${text(b - a, metric.digits)}` : "–"),
      htmlNode("td", {}, both && a ? `${b > a ? "+" : ""}${text((100 * (b - a)) / Math.abs(a), 1)} %` : "–"));
  }
  line.append(htmlNode("td", { class: "text" }, metric.unit));
  return line;
};
const metricTable = (groups, rows, data) => {
  const names = rows.length === 2 ? ["A", "B", "B − A", "in %"] : ["value"];
  const head = htmlNode("thead", {}, htmlNode("tr", {}, htmlNode("th", { scope: "col", class: "text" }, "quantity"),
    ...names.map((name) => htmlNode("th", { scope: "col" }, name)),
    htmlNode("th", { scope: "col", class: "text" }, "unit")));
  const bodies = groups.map(([title, metrics]) => htmlNode("tbody", {},
    htmlNode("tr", {}, htmlNode("th", { scope: "rowgroup", colspan: names.length + 2 }, title)),
    ...metrics.map((metric) => metricRow(metric, rows, data)).filter(Boolean)));
  return [head, ...bodies];
};

// What limits the slot, in a sentence.
const verdictOf = (row, standardMs) => {
  const slot = row.ts_slot_duration_us / 1000;
  const over = slot - standardMs;
  const fit = over <= 0 ? `fits into ${standardMs} ms with ${text(-over, 2)} ms to spare`
    : `${text(over, 2)} ms too long for ${standardMs} ms`;
  const limit = row.limit_us === null ? ""
    : `; the radio alone needs ${ms(row.limit_us)} ms, security and the CPU add ${ms(row.ts_slot_duration_us - row.limit_us)}`;
  return [`${text(slot, 2)} ms: ${fit}`, `${limit}. TsTxOffset is set by ${row.offset_set_by}, `
    + `TsTxAckDelay by ${row.ack_delay_set_by}. Proof: ${row.proof}.`];
};

// How the computed numbers come about, with the numbers themselves.
const formulas = (row, use, model, data) => {
  const K = data.constants;
  const at = data.rows.indexOf(row);
  const lines = [`Row ${at} of explorer.json. Throughput bound (Eq. 2): 8 (payload − ${K.upper_octets}) × `
    + `cells / (${K.slotframe} × TsSlotDuration) = ${model.applicationBits(use.payload)} bit × ${use.cells}`
    + ` / (${K.slotframe} × ${row.ts_slot_duration_us} µs).`];
  for (const node of model.NODES) {
    const life = model.life(row, use, node);
    if (!life) continue;
    lines.push(`${node}: slotframe = ${life.kinds.map((one) =>
      `${Number(one.count.toPrecision(6))} × ${one.uc.toFixed(2)} µC (${one.kind})`).join(" + ")} = `
      + `${life.slotframeUc.toFixed(1)} µC in ${model.slotframeS(row).toFixed(4)} s, `
      + `${(1000 * life.averageMa).toFixed(2)} µA on average.`);
    if (life.batteryMa === null) {
      lines.push("The data sheets do not allow this clock at this supply: no life of a battery.");
    } else if (node === "sender") {
      const battery = data.batteries[use.battery];
      lines.push(`Battery: ${life.regulated ? `average × ${row.supply_v} V / (${battery.mean_v} V × `
        + `${battery.efficiency}) through the regulator` : "average, straight from the cells"} + `
        + `${battery.leakage_ua} µA of self-discharge = ${(1000 * life.batteryMa).toFixed(2)} µA; `
        + `${use.mah} mAh / that / 24 = ${text(life.days, 0)} days.`);
    }
    if (life.between.length && node === "sender") {
      lines.push(`Interpolated: the data slot lies on a straight line between measured frames of `
        + `${life.between.join(" and ")} octets.`);
    }
  }
  for (const [frame, why] of row.refused) {
    lines.push(`Not measured: with a frame of ${frame} octets ${why}; the slot is proven for frames of `
      + `${row.frame_octets}.`);
  }
  if (!row.kinds.length) {
    lines.push("The life of a battery is measured by the definition deployable alone.");
    return lines.map((line) => htmlNode("p", {}, line));
  }
  lines.push("The charges were measured in a slotframe with two cells, a frame in one cell of three and "
    + "a beacon in every slotframe; the numbers of slots follow from the schedule of the TSCH engine.");
  return lines.map((line) => htmlNode("p", {}, line));
};
