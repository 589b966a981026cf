// SPDX-License-Identifier: BSD-3-Clause
// What is computed from measured rows. study/explored.py, battery.py and throughput.py have the same
// formulas; a test compares them on all rows.
const makeModel = (data) => {
  const K = data.constants;
  const NODES = ["sender", "receiver"];
  const slotframeS = (row) => (K.slotframe * row.ts_slot_duration_us) / 1e6;
  const frameOctets = (row, payload) => row.frame_octets - row.payload_octets + payload;
  const syncLimitTicks = (row) =>
    Math.max(0, row.ts_rx_guard_ticks - K.sync_rest) * K.drift_ticks;

  // Python's round: half to even.
  const rounded = (x) => {
    const low = Math.floor(x);
    return x - low === 0.5 ? low + (low % 2) : Math.round(x);
  };
  const cellsApart = (row, everyS, cells) =>
    Math.max(1, rounded((everyS * cells) / slotframeS(row)));

  // Empty frames of a slotframe that keep a leaf in step: the schedule of the TSCH engine.
  const keepAlives = (row, cells, dataEvery) => {
    const limit = syncLimitTicks(row);
    const due = Math.floor(limit / 2);
    const slot = row.ts_slot_duration_ticks;
    const corrected = row.level !== K.uncorrected_level;
    let [left, data_, found] = [limit, 0, 0];
    for (let frame = 0; frame < K.counted; frame += 1) {
      left = limit; // a beacon in every slotframe
      for (let cell = 0; cell < cells; cell += 1) {
        left -= slot;
        data_ = (data_ || dataEvery) - 1;
        const empty = data_ !== 0 && left < due;
        found += empty;
        if (corrected && (data_ === 0 || empty)) left = limit;
      }
      left -= (K.slotframe - cells) * slot;
    }
    return found / K.counted;
  };
  const counts = (row, cells, dataEvery) => {
    const data_ = cells / dataEvery;
    const keeps = keepAlives(row, cells, dataEvery);
    return { beacon: 1, data: data_, "keep-alive": keeps, "no data": cells - data_ - keeps,
      empty: K.slotframe - 1 - cells };
  };

  // The charge of a slot; of a data slot on a straight line between the two measured frames around it.
  const charge = (row, node, kind, octets) => {
    const own = row.kinds.filter((one) => one[0] === node && one[1] === kind)
      .map(([, , frame, uc]) => ({ frame, uc })).sort((a, b) => a.frame - b.frame);
    if (!own.length) return null;
    if (kind !== "data") return { uc: own[0].uc, between: [] };
    const exact = own.find((one) => one.frame === octets);
    if (exact) return { uc: exact.uc, between: [] };
    const at = own.findIndex((one, n) => n && own[n - 1].frame < octets && octets < one.frame);
    if (at < 0) return null;
    const [low, high] = [own[at - 1], own[at]];
    const part = (octets - low.frame) / (high.frame - low.frame);
    return { uc: low.uc + part * (high.uc - low.uc), between: [low.frame, high.frame] };
  };

  const life = (row, use, node) => {
    if (!row.kinds.length) return null;
    const dataEvery = use.apart ?? cellsApart(row, use.every, use.cells);
    const octets = frameOctets(row, use.payload);
    const kinds = [];
    let between = [];
    for (const [kind, count] of Object.entries(counts(row, use.cells, dataEvery))) {
      if (!count) continue;
      const found = charge(row, node, kind, octets);
      if (!found) return null;
      if (found.between.length) between = found.between;
      kinds.push({ kind, count, uc: found.uc });
    }
    const spentUc = kinds.reduce((sum, one) => sum + one.uc * one.count, 0);
    const averageMa = spentUc / slotframeS(row) / 1000;
    const battery = data.batteries[use.battery];
    const regulated = row.fed_by[use.battery] === "regulator";
    const takenMa = regulated
      ? (averageMa * row.supply_v) / (battery.mean_v * battery.efficiency) : averageMa;
    const batteryMa = takenMa + battery.leakage_ua / 1000;
    const allowed = row.clock_allowed;
    return {
      dataEvery, everyS: (dataEvery * slotframeS(row)) / use.cells, kinds, between, regulated,
      slotframeUc: spentUc, averageMa, batteryMa: allowed ? batteryMa : null,
      days: allowed ? use.mah / batteryMa / 24 : null,
    };
  };

  // Eq. 2 of the paper: bits of an application in a frame, in `cells` slots of a slotframe.
  const applicationBits = (payload) => 8 * Math.max(0, payload - K.upper_octets);
  const rate = (row, use) => applicationBits(use.payload) * use.cells
    / (K.slotframe * row.ts_slot_duration_us * 1e-6);

  return { NODES, slotframeS, frameOctets, cellsApart, counts, charge, life, applicationBits, rate };
};
