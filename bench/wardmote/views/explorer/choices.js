// SPDX-License-Identifier: BSD-3-Clause
// The choices of a case, the sliders, and the address that holds both. Only measured cases can be
// chosen: a choice that no row has with the others changes the others, and the page says so.
const ORDER = ["board", "strategy", "level", "definition", "clock", "supply", "turnaround", "ash",
  "frame", "guard"];
const TITLES = { board: "Board", strategy: "Strategy", level: "Level", definition: "Definition",
  clock: "Clock", supply: "Supply", turnaround: "Turnaround", ash: "ASH", frame: "Payload",
  guard: "Guard" };
const makeChoices = (data) => {
  const field = data.choices;
  const of = (row, word) => row[field[word]];
  const words = {
    board: (row) => data.boards[row.board].title,
    level: (row) => `${row.level} ${row.level_name}`,
    clock: (row) => `${Number((row.clock_hz / 1e6).toPrecision(3))} MHz`,
    supply: (row) => `${row.supply_v} V${row.clock_allowed ? "" : " (beyond)"}`,
    turnaround: (row) => `${row.turnaround_us} µs`,
    ash: (row) => `${row.ash_octets} octets`,
    frame: (row) => `${row.payload_octets} octets (frame ${row.frame_octets})`,
    guard: (row) => `${row.ts_rx_guard_us.toFixed(0)} µs`,
  };
  const label = (row, word) => (words[word] ? words[word](row) : of(row, word));
  const keyOf = (row, word) => String(of(row, word));
  // A guard time that follows from a definition is no choice: the row that fits best is taken.
  const score = (row, wanted, first) => ORDER.reduce((sum, word, at) =>
    sum + (wanted[word] !== undefined && keyOf(row, word) === wanted[word]
      ? (word === first ? 1e6 : 2 ** (ORDER.length - at)) : 0), 0);
  const best = (wanted, first) => data.rows.reduce((found, row) =>
    (score(row, wanted, first) > score(found, wanted, first) ? row : found), data.rows[0]);
  const wish = (row) => Object.fromEntries(ORDER.map((word) => [word, keyOf(row, word)]));
  // The values of a choice: all that rows have; those that keep the other choices come unmarked.
  const values = (row, word) => {
    const found = new Map();
    for (const one of data.rows) {
      if (word !== "board" && one.board !== row.board) continue;
      const key = keyOf(one, word);
      const others = ORDER.every((other) => other === word || other === "guard"
        || (other === "frame" && word === "ash") || keyOf(one, other) === keyOf(row, other));
      const before = found.get(key);
      found.set(key, { key, text: label(one, word), keeps: others || (before && before.keeps),
        order: of(one, word) });
    }
    const listed = [...found.values()];
    return typeof listed[0].order === "number"
      ? listed.sort((a, b) => a.order - b.order) : listed;
  };
  const changed = (before, after, word) => ORDER.filter((other) => other !== word
    && other !== "guard" && keyOf(before, other) !== keyOf(after, other))
    .map((other) => `${TITLES[other]} is now ${label(after, other)}`);
  return { best, wish, values, changed, label, keyOf };
};

// The address: a word for each choice, `b.` before those of the second case.
const readHash = () => new URLSearchParams(location.hash.slice(1));
const writeHash = (state, choices) => {
  const words = new URLSearchParams();
  for (const [prefix, row] of [["", state.a], ["b.", state.b]]) {
    if (!row) continue;
    for (const [word, value] of Object.entries(choices.wish(row))) words.set(prefix + word, value);
  }
  for (const [name, value] of Object.entries(state.use)) words.set(name, value);
  if (state.view) words.set("view", state.view.map((us) => us.toFixed(1)).join("-"));
  history.replaceState(null, "", `#${words}`);
};
