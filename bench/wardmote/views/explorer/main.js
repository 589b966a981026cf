// SPDX-License-Identifier: BSD-3-Clause
// The page's state, and what changes it.
const data = JSON.parse(document.getElementById("rows").textContent);
const model = makeModel(data);
const choices = makeChoices(data);
const standardUs = data.constants.standard_ms * 1000;
const metrics = makeMetrics(model, data.constants.standard_ms);
const EVERY = ["cell", 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
const firstBattery = Object.keys(data.batteries)[0];
const state = { a: data.rows[0], b: null, view: null,
  use: { cells: 1, every: "cell", payload: 0, battery: firstBattery, mah: 0 } };
const at = (id) => document.getElementById(id);

const useOf = (row) => ({
  ...state.use,
  payload: Math.min(state.use.payload, row.payload_octets),
  every: Number(state.use.every),
  apart: state.use.every === "cell" ? 1 : undefined,
});
const whole = () => [0, Math.max(standardUs, ...[state.a, state.b].filter(Boolean)
  .map((row) => row.ts_slot_duration_us)) * 1.01];
const view = () => state.view ?? whole();

const number = (text_, low, high, otherwise) => {
  const value = Number(text_);
  return text_ !== null && text_ !== "" && value >= low && value <= high ? value : otherwise;
};
const restore = () => {
  const hash = readHash();
  const wished = (prefix) => Object.fromEntries(ORDER.map((word) => [word, hash.get(prefix + word)])
    .filter(([, value]) => value !== null));
  const usual = { level: "5", ...wished("") };
  state.a = choices.best(usual);
  state.b = ORDER.some((word) => hash.has(`b.${word}`)) ? choices.best(wished("b.")) : null;
  const battery = Object.hasOwn(data.batteries, hash.get("battery") ?? "") ? hash.get("battery") : firstBattery;
  state.use = {
    cells: Math.round(number(hash.get("cells"), 1, 50, 1)),
    every: EVERY.map(String).includes(hash.get("every")) ? hash.get("every") : "cell",
    payload: Math.round(number(hash.get("payload"), 1, 127, state.a.payload_octets)),
    battery,
    mah: number(hash.get("mah"), 50, 20000, data.batteries[battery].charge_mah),
  };
  const [from, to] = (hash.get("view") ?? "").split("-").map(Number);
  state.view = to > from && from >= 0 && to <= 1e6 ? [from, to] : null;
};

const fillChoices = (name, row) => {
  for (const word of ORDER) {
    const select = at(`${name}-${word}`);
    const values = choices.values(row, word);
    const now = choices.keyOf(row, word);
    select.replaceChildren(...values.map((one) => {
      const option = htmlNode("option", { value: one.key }, one.keeps ? one.text : `${one.text} *`);
      option.selected = one.key === now;
      return option;
    }));
    select.disabled = values.length < 2;
  }
};
const fillPhases = () => {
  const names = state.a.trace ? [...new Set(Object.values(state.a.trace.spans).flat()
    .map(([name]) => name).filter((name) => colourOf(name) !== "rest"))] : [];
  at("phase").replaceChildren(htmlNode("option", { value: "" }, "whole slot"),
    ...names.map((name) => htmlNode("option", { value: name }, name)));
};
const fillTables = (name, row) => {
  const cells = (...texts) => htmlNode("tr", {}, ...texts.map((one, n) =>
    htmlNode("td", typeof one === "number" ? {} : { class: "text" }, typeof one === "number" ? text(one, 3) : one)));
  const head = (...names) => htmlNode("thead", {}, htmlNode("tr", {}, ...names.map((one) =>
    htmlNode("th", { scope: "col" }, one))));
  at(`${name}-lanes`).replaceChildren(head("lane", "phase", "from µs", "to µs", "µs"),
    ...lanesOf(row).flatMap((lane) => lane.parts.map(([part, from, to]) =>
      cells(lane.name, part, from, to, to - from))));
  at(`${name}-steps`).replaceChildren(head("node", "from µs", "mA", "phase", "states"),
    ...Object.entries(row.trace ? row.trace.steps : {}).flatMap(([node, steps]) =>
      steps.map((step) => cells(node, step[0], step[1], row.trace.phases[step[2]],
        step[3].map((place) => row.trace.states[place]).join("; ")))));
};

const drawCase = (name, row) => {
  const frame = at(`${name}-slot`);
  const width = Math.max(300, Math.floor(frame.clientWidth || 600));
  const title = `${choices.label(row, "board")}, ${row.strategy}, ${row.level_name}`;
  frame.replaceChildren(drawSlot(row, view(), width, `The slot of ${title}, to scale`, standardUs));
  at(`${name}-current`).replaceChildren(drawCurrent(row, view(), width, `Current of ${title}`));
};
const showCase = (name, row) => {
  fillChoices(name, row);
  const [lead, rest] = verdictOf(row, data.constants.standard_ms);
  const fit = row.ts_slot_duration_us <= standardUs;
  at(`${name}-verdict`).replaceChildren(htmlNode("strong", { class: fit ? "good" : "bad" }, lead), rest);
  drawCase(name, row);
  fillTables(name, row);
};
const showUse = () => {
  const { cells, every, mah } = state.use;
  const { payload } = useOf(state.a);
  at("cells").value = cells;
  at("every").value = EVERY.map(String).indexOf(every);
  at("payload").max = state.a.payload_octets;
  at("payload").value = payload;
  at("mah").value = mah;
  at("battery").value = state.use.battery;
  at("cells-said").textContent = `${cells} of ${data.constants.slotframe}`;
  at("every-said").textContent = every === "cell" ? "in each cell" : `every ${every} s`;
  at("payload-said").textContent = `${payload} octets`;
  at("mah-said").textContent = `${mah} mAh`;
};
const showNumbers = () => {
  const rows = [state.a, state.b].filter(Boolean);
  at("numbers").replaceChildren(...metricTable(metrics, rows, data));
  at("computed").replaceChildren(...metricTable([["Computed for this traffic", makeComputed(model, useOf)]], rows, data));
  at("formulas").replaceChildren(...rows.flatMap((row, n) => [
    ...(rows.length > 1 ? [htmlNode("h3", {}, `Case ${"AB"[n]}`)] : []),
    ...formulas(row, useOf(row), model, data)]));
  const { row } = { row: state.a };
  at("provenance").replaceChildren(...[["compiler", row.provenance_compiler], ["flags", row.provenance_flags],
    ["image", row.provenance_image], ["commit", row.provenance_commit], ["timing", row.provenance_timing_model],
    ["definition", `${row.definition}: ${data.definitions[row.definition]}`]]
    .flatMap(([name, value]) => [htmlNode("dt", {}, name), htmlNode("dd", {}, `${value}`)]));
};
const show = () => {
  at("cases").classList.toggle("two", Boolean(state.b));
  at("case-b").hidden = !state.b;
  at("compare").textContent = state.b ? "Only one case" : "Compare with another case";
  showCase("a", state.a);
  if (state.b) showCase("b", state.b);
  fillPhases();
  showUse();
  showNumbers();
};
const redraw = () => {
  state.view &&= state.view.map((us) => Number(us.toFixed(1))); // as the address has it
  drawCase("a", state.a);
  if (state.b) drawCase("b", state.b);
  writeHash(state, choices);
};

const zoom = (factor, middle) => {
  const [from, to] = view();
  const centre = middle ?? (from + to) / 2;
  const [least, most] = whole();
  const size = Math.min(Math.max((to - from) * factor, 20), most - least);
  const begin = Math.min(Math.max(centre - ((centre - from) / (to - from)) * size, least), most - size);
  state.view = size >= most - least ? null : [begin, begin + size];
  redraw();
};
const pan = (part) => {
  const [from, to] = view();
  const size = to - from;
  const begin = Math.min(Math.max(from + part * size, 0), whole()[1] - size);
  state.view = size >= whole()[1] ? null : [begin, begin + size];
  redraw();
};
const showAll = () => { state.view = null; redraw(); };
const showPhase = (name) => {
  const own = Object.values(state.a.trace?.spans ?? {}).flat().find(([one]) => one === name);
  if (!own) return showAll();
  const room = Math.max((own[2] - own[1]) * 0.1, 10);
  state.view = [Math.max(0, own[1] - room), own[2] + room];
  return redraw();
};

const listenFigure = (name, rowOf) => {
  for (const id of [`${name}-slot`, `${name}-current`]) {
    const figure = at(id);
    const timeAt = (event) => {
      const box = figure.firstElementChild.getBoundingClientRect();
      const left = box.width < 500 ? 58 : 74;
      const [from, to] = view();
      return from + ((event.clientX - box.left - left) / (box.width - left - 4)) * (to - from);
    };
    let last = null;
    figure.addEventListener("keydown", (event) => {
      const act = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), 0: showAll,
        ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25) }[event.key];
      if (act) { event.preventDefault(); act(); }
    });
    figure.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
    }, { passive: false });
    figure.addEventListener("pointerdown", (event) => { last = event.clientX; });
    figure.addEventListener("pointermove", (event) => {
      const us = Math.max(0, timeAt(event));
      at(`${name}-moment`).textContent = [`${(us / 1000).toFixed(3)} ms`, ...statesAt(rowOf(), us)].join("; ");
      if (last !== null && event.buttons && state.view) {
        pan((last - event.clientX) / figure.clientWidth);
        last = event.clientX;
      }
    });
    figure.addEventListener("pointerup", () => { last = null; });
    figure.addEventListener("dblclick", (event) => {
      const name_ = event.target.dataset?.phase;
      if (name_) showPhase(name_);
    });
  }
};
const listen = () => {
  for (const name of ["a", "b"]) {
    for (const word of ORDER) {
      at(`${name}-${word}`).addEventListener("change", (event) => {
        const before = state[name];
        const after = choices.best({ ...choices.wish(before), [word]: event.target.value }, word);
        state[name] = after;
        if (name === "a" && state.use.payload === before.payload_octets) state.use.payload = after.payload_octets;
        state.view = null;
        const others = choices.changed(before, after, word);
        at(`${name}-note`).textContent = others.length
          ? `Not measured with the other choices: ${others.join("; ")}.` : "";
        show();
        writeHash(state, choices);
      });
    }
    listenFigure(name, () => state[name]);
  }
  at("compare").addEventListener("click", () => {
    const other = choices.best({ ...choices.wish(state.a),
      strategy: data.rows.find((row) => row.board === state.a.board && row.strategy !== state.a.strategy)?.strategy
        ?? state.a.strategy }, "strategy");
    state.b = state.b ? null : other;
    show();
    writeHash(state, choices);
  });
  const use = (id, take) => at(id).addEventListener("input", (event) => {
    take(event.target.value);
    showUse();
    showNumbers();
    writeHash(state, choices);
  });
  use("cells", (value) => { state.use.cells = Number(value); });
  use("every", (value) => { state.use.every = String(EVERY[value]); });
  use("payload", (value) => { state.use.payload = Number(value); });
  use("mah", (value) => { state.use.mah = Number(value); });
  use("battery", (value) => {
    state.use.battery = value;
    state.use.mah = data.batteries[value].charge_mah;
  });
  at("in").addEventListener("click", () => zoom(0.5));
  at("out").addEventListener("click", () => zoom(2));
  at("left").addEventListener("click", () => pan(-0.25));
  at("right").addEventListener("click", () => pan(0.25));
  at("all").addEventListener("click", showAll);
  at("phase").addEventListener("change", (event) => showPhase(event.target.value));
  addEventListener("hashchange", () => { restore(); show(); });
  let width = document.body.clientWidth;
  addEventListener("resize", () => {
    if (document.body.clientWidth !== width) { width = document.body.clientWidth; redraw(); }
  });
};

at("every").max = EVERY.length - 1;
at("battery").replaceChildren(...Object.entries(data.batteries).map(([name, one]) =>
  htmlNode("option", { value: name }, one.title)));
restore();
listen();
show();
window.wardmote = { data, model, state, useOf };
