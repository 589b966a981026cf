// SPDX-License-Identifier: BSD-3-Clause
// One recommendation for one need. Every number is that of a row; the page only chooses and sorts.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("needs-data").textContent);
  const $ = (id) => document.getElementById(id);
  const at = Object.fromEntries(data.fields.map((name, n) => [name, n]));
  const rows = data.rows.map((one) =>
    Object.fromEntries(data.fields.map((name) => [name, one[at[name]]])));
  const ORDER = Object.keys(data.secrets);
  const COLOURS = ["data", "sec1", "sec4", "sec2", "guard", "ack"];
  const state = { ...data.start, flash: "" };
  let sorted = { by: "place", up: true };

  // Why a candidate does not meet the need, in the order of `wardmote recommend`.
  const against = (row, want) => row.against
    || (ORDER.indexOf(row.shows) > ORDER.indexOf(want.secrets)
      ? (row.shows === "addresses" ? "secrets change addresses" : "secrets change its time") : "")
    || (want.flash && row.flash_octets > want.flash ? `${row.flash_octets} octets of flash` : "");
  // The rows of a need: those that meet it by their cycles, then the others.
  const judged = (want) => {
    const own = rows.filter((row) => row.need === want.need && row.cpu === want.cpu
      && row.octets === Number(want.octets))
      .map((row) => ({ ...row, against: against(row, want) }));
    const meets = own.filter((row) => !row.against).sort((a, b) => a.cycles - b.cycles);
    const others = own.filter((row) => row.against).sort((a, b) => a.cycles - b.cycles);
    return [...meets.map((row, n) => ({ ...row, place: n + 1 })),
      ...others.map((row) => ({ ...row, place: 0 }))];
  };

  const el = (name, text, parent) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    parent?.append(made);
    return made;
  };
  const signed = (n) => (n < 0 ? `−${-n}` : `+${n}`);
  const beside = (row, best) => `${row.cycles} cycles (`
    + `${signed(Math.round(100 * (row.cycles / best.cycles - 1)))} %), `
    + `${row.flash_octets} octets of flash (${signed(row.flash_octets - best.flash_octets)})`;
  const short = (value) => String(Number(value.toPrecision(3)));

  const answer = (found, want) => {
    const box = $("recommended"), meets = found.filter((row) => row.place);
    box.replaceChildren();
    const best = meets[0];
    if (!best) {
      const near = found[0];
      el("strong", "Nothing meets the need.", box);
      if (near) box.append(` ${near.name} would take ${near.cycles} cycles and `
        + `${near.flash_octets} octets of flash; against it: ${near.against}.`);
      return;
    }
    el("strong", `Use ${best.name}`, box);
    box.append(`: ${best.cycles} cycles, ${short(best.time_us / 1000)} ms and `
      + `${short(best.energy_uj)} µJ a message (${data.boards[want.cpu]}); `
      + `${best.flash_octets} octets of flash, ${best.ram_octets} of RAM, `
      + `${best.stack_octets} of stack. `);
    box.append(meets.length === 1 ? "It is the only candidate "
      : `It takes the fewest cycles of ${meets.length} candidates `);
    box.append(`${data.secrets[want.secrets]}. `);
    const name = (row) => row.name.split(" ")[0];
    const second = meets.find((row) => name(row) !== name(best));
    if (second) box.append(`Runner-up: ${second.name}, ${beside(second, best)}. `);
    const clean = meets.find((row) => row.shows === "nothing");
    if (best.shows !== "nothing") {
      box.append(clean ? `If secrets must change nothing: ${clean.name}, ${beside(clean, best)}.`
        : "No candidate keeps its secrets better.");
    }
    if (want.need === "encryption" || want.need === "stream") {
      box.append(" It authenticates nothing: whoever can send can change what it encrypts.");
    }
  };

  const COLUMNS = [["place", "place"], ["primitive", "name"], ["cycles", "cycles"],
    ["time µs", "time_us"], ["energy µJ", "energy_uj"], ["flash octets", "flash_octets"],
    ["RAM octets", "ram_octets"], ["stack octets", "stack_octets"], ["secrets change", "shows"],
    ["against", "against"]];
  const TEXT = new Set(["name", "shows", "against"]);
  const DIGITS = { time_us: 1, energy_uj: 2 };
  const table = (found) => {
    const words = $("filter").value.toLowerCase();
    const head = $("candidates").tHead.rows[0], body = $("candidates").tBodies[0];
    head.replaceChildren();
    for (const [title, field] of COLUMNS) {
      const cell = el("th", undefined, head);
      cell.scope = "col";
      if (TEXT.has(field)) cell.className = "text";
      const by = sorted.by === field;
      cell.setAttribute("aria-sort", by ? (sorted.up ? "ascending" : "descending") : "none");
      const button = el("button", title + (by ? (sorted.up ? " ▲" : " ▼") : ""), cell);
      button.type = "button";
      button.className = "sort";
      button.addEventListener("click", () => {
        sorted = { by: field, up: !(by && sorted.up) };
        table(found);
        [...head.cells].find((one) => one.getAttribute("aria-sort") !== "none")
          .querySelector("button").focus();
      });
    }
    const key = (row) => (sorted.by === "place" ? row.place || Infinity : row[sorted.by]);
    const order = [...found].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      const way = x < y ? -1 : x > y ? 1 : 0;
      return sorted.up ? way : -way;
    });
    body.replaceChildren();
    for (const row of order) {
      if (words && !`${row.name} ${row.shows} ${row.against}`.toLowerCase().includes(words)) continue;
      const line = el("tr", undefined, body);
      if (row.place === 1) line.className = "usual";
      for (const [, field] of COLUMNS) {
        const digits = DIGITS[field], value = row[field];
        const text = field === "place" ? value || "–"
          : digits === undefined ? value : value.toFixed(digits);
        el("td", text, line).className = TEXT.has(field) ? "text" : "";
      }
    }
  };

  const NS = "http://www.w3.org/2000/svg", W = 560, H = 330, L = 62, R = 14, T = 34, B = 44;
  const draw = (parent, name, attributes, text) => {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };
  const steps = (most) => {
    const raw = most / 5, ten = 10 ** Math.floor(Math.log10(raw || 1));
    const step = [1, 2, 5, 10].map((n) => n * ten).find((n) => n >= raw) || 1;
    return Array.from({ length: Math.floor(most / step) + 1 }, (_, n) => n * step);
  };
  const decades = (least, most) => Array.from({ length: 30 }, (_, n) =>
    [1, 2, 5][n % 3] * 10 ** (Math.floor(n / 3) - 4)).filter((n) => n >= least && n <= most);
  const brief = (n) => (n >= 1000 ? `${Number((n / 1000).toPrecision(3))} k` : String(Number(n.toPrecision(3))));
  // The vertical scale is linear from 0, or logarithmic from `least`.
  const plot = (figure, title, [mostX, labelX], [mostY, labelY, least]) => {
    figure.replaceChildren();
    const svg = draw(figure, "svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": title,
      "font-family": "inherit", "font-size": 13, fill: "var(--ink)" });
    const x = (n) => L + (W - L - R) * n / mostX, part = (n) => (least
      ? Math.log(n / least) / Math.log(mostY / least) : n / mostY);
    const y = (n) => H - B - (H - T - B) * part(n);
    for (const n of steps(mostX)) {
      draw(svg, "line", { x1: x(n), x2: x(n), y1: T, y2: H - B, stroke: "var(--line)" });
      draw(svg, "text", { x: x(n), y: H - B + 16, "text-anchor": "middle" }, brief(n));
    }
    for (const n of least ? decades(least, mostY) : steps(mostY)) {
      draw(svg, "line", { x1: L, x2: W - R, y1: y(n), y2: y(n), stroke: "var(--line)" });
      draw(svg, "text", { x: L - 6, y: y(n) + 4, "text-anchor": "end" }, brief(n));
    }
    draw(svg, "text", { x: (L + W - R) / 2, y: H - 8, "text-anchor": "middle" }, labelX);
    draw(svg, "text", { x: 4, y: 16 }, labelY);
    return { svg, x, y };
  };
  const charts = (found, want) => {
    const meets = found.filter((row) => row.place).slice(0, COLOURS.length);
    const lines = meets.map((best) => rows.filter((row) => row.need === want.need
      && row.cpu === want.cpu && row.name === best.name));
    const most = (all, name) => Math.max(1, ...all.map((row) => row[name]));
    const one = plot($("by-size"), "Cycles by octets of message", [most(lines.flat(), "octets"),
      "octets of message"], [most(lines.flat(), "cycles"), "cycles of a message"]);
    lines.forEach((own, n) => {
      const colour = `var(--${COLOURS[n]})`;
      draw(one.svg, "polyline", { fill: "none", stroke: colour, "stroke-width": 2,
        points: own.map((row) => `${one.x(row.octets)},${one.y(row.cycles)}`).join(" ") });
      for (const row of own) {
        draw(draw(one.svg, "circle", { cx: one.x(row.octets), cy: one.y(row.cycles), r: 3,
          fill: colour }), "title", {}, `${row.name}, ${row.octets} octets: ${row.cycles} cycles`);
      }
    });
    const all = found.filter((row) => row.place);
    const times = all.map((row) => row.time_us / 1000);
    const two = plot($("by-flash"), "Time by octets of flash, a logarithmic scale",
      [most(all, "flash_octets"), "octets of flash"],
      [1.2 * Math.max(0.001, ...times), "ms a message (logarithmic)", Math.min(1, ...times) / 1.2]);
    const dots = all.map((row) => [two.x(row.flash_octets), two.y(row.time_us / 1000), row]);
    for (const [cx, cy, row] of dots) {
      const fill = `var(--${COLOURS[row.place - 1] ?? "soft"})`;
      draw(draw(two.svg, "circle", { cx, cy, r: 5, fill }), "title", {},
        `${row.name}: ${row.flash_octets} octets of flash, ${short(row.time_us / 1000)} ms`);
    }
    // A number stands beside its point where no other point or number is.
    const taken = dots.map(([x, y]) => [x, y]);
    for (const [x, y, row] of dots) {
      const free = (at) => taken.every(([u, v]) => (u === x && v === y)
        || Math.abs(u - at) > 16 || Math.abs(v - y) > 13);
      const at = [x + 14, x - 14].find((one) => one > L && one < W - 8 && free(one));
      if (at === undefined) continue;
      draw(two.svg, "text", { x: at, y: y + 4, "text-anchor": "middle" }, String(row.place));
      taken.push([at, y]);
    }
    const legend = $("lines");
    legend.replaceChildren();
    meets.forEach((row, n) => {
      const item = el("span", undefined, legend);
      el("i", undefined, item).style.background = `var(--${COLOURS[n]})`;
      item.append(`${row.place} ${row.name}`);
    });
  };

  const show = () => {
    const found = judged(state);
    answer(found, state);
    table(found);
    charts(found, state);
  };
  const IDS = ["need", "cpu", "octets", "secrets", "flash"];
  const options = (id, entries) => entries.forEach(([value, text]) => {
    el("option", text, $(id)).value = value;
  });
  options("need", Object.entries(data.needs));
  options("cpu", Object.entries(data.boards).map(([cpu, board]) => [cpu, `${cpu} (${board})`]));
  options("octets", data.octets.map((n) => [n, `${n} octets`]));
  options("secrets", ORDER.map((name) => [name, name]));
  const restore = () => {
    const words = new URLSearchParams(location.hash.slice(1));
    for (const id of IDS) {
      const box = $(id), value = words.get(id);
      const possible = box.options ? [...box.options].some((one) => one.value === value)
        : /^[1-9]\d{0,6}$/.test(value ?? "");
      if (possible) state[id] = value;
      box.value = state[id];
    }
    show();
  };
  const changed = () => {
    for (const id of IDS) state[id] = $(id).value;
    state.flash = /^[1-9]\d{0,6}$/.test(state.flash) ? state.flash : "";
    const words = IDS.filter((id) => state[id] !== "").map((id) => [id, state[id]]);
    history.replaceState(null, "", `#${new URLSearchParams(words)}`);
    show();
  };
  IDS.forEach((id) => $(id).addEventListener("input", changed));
  $("filter").addEventListener("input", () => table(judged(state)));
  addEventListener("hashchange", () => { if (location.hash.includes("=")) restore(); });
  globalThis.wardmote = { data, judged, state };
  restore();
})();
