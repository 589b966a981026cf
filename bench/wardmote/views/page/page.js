// SPDX-License-Identifier: BSD-3-Clause
// What every page of a report does: light or dark, and the export of figures and tables.
"use strict";
(() => {
  const root = document.documentElement;
  const button = document.querySelector(".theme");
  const systemDark = () => matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : systemDark());
  const kept = (value) => {
    try { // a page of a folder may have no storage
      if (value) localStorage.setItem("wardmote-theme", value);
      return localStorage.getItem("wardmote-theme");
    } catch { return null; }
  };
  const named = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  if (kept()) root.dataset.theme = kept();
  button.hidden = false;
  named();
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    kept(root.dataset.theme);
    named();
  });

  const save = (name, data, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(data instanceof Blob ? data : new Blob([data], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size",
    "font-weight", "text-anchor", "opacity", "fill-opacity", "dominant-baseline"];
  // An SVG that looks the same without the page: computed styles become attributes.
  const alone = (svg) => {
    const copy = svg.cloneNode(true);
    const from = [svg, ...svg.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((node, at) => {
      const style = getComputedStyle(from[at]);
      if (from[at] instanceof SVGGraphicsElement) {
        LOOKS.forEach((name) => node.setAttribute(name, style.getPropertyValue(name)));
        node.removeAttribute("style");
      }
      if (style.display === "none" && at) node.setAttribute("display", "none");
    });
    const box = svg.viewBox.baseVal;
    const [width, height] = box && box.width ? [box.width, box.height]
      : [svg.clientWidth, svg.clientHeight];
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    paper.setAttribute("width", "100%");
    paper.setAttribute("height", "100%");
    paper.setAttribute("fill", svg.closest(".drawn") ? "#fff"
      : getComputedStyle(document.body).backgroundColor);
    copy.prepend(paper);
    return { text: new XMLSerializer().serializeToString(copy), width, height };
  };
  const png = ({ text, width, height }) => new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = 2 * width;
      canvas.height = 2 * height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(done, "image/png");
    };
    image.onerror = failed;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });

  const cells = (table) => [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [cell.textContent.trim().replace(/\s+/g, " "),
      ...Array(cell.colSpan - 1).fill("")]));
  const csv = (table) => cells(table).map((row) => row.map((text) =>
    (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",")).join("\n") + "\n";
  const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "µ": "\\textmu{}", "–": "--", "×": "\\texttimes{}", "−": "\\textminus{}", "≥": "$\\geq$",
    "≤": "$\\leq$", "…": "\\dots{}", "Δ": "$\\Delta$", "∞": "$\\infty$" };
  const tex = (text) => text.replace(/[\\~^µ–×−≥≤…Δ∞]|[&%$#_{}]/g, (c) => TEX[c] ?? `\\${c}`);
  const latex = (table) => {
    const rows = cells(table);
    const first = [...table.rows].findIndex((row) => row.querySelector("td"));
    const last = [...table.rows].find((row) => row.querySelector("td")) ?? table.rows[0];
    const sides = [...last.cells].map((cell) =>
      (cell.tagName === "TH" || cell.classList.contains("text") ? "l" : "r")).join("");
    const lines = rows.map((row) => `${row.map(tex).join(" & ")} \\\\`);
    const head = lines.slice(0, Math.max(first, 0));
    return ["% needs \\usepackage{booktabs}", `\\begin{tabular}{${sides}}`, "\\toprule", ...head,
      "\\midrule", ...lines.slice(head.length), "\\bottomrule", "\\end{tabular}", ""].join("\n");
  };

  const ways = {
    SVG: (name, at) => save(`${name}.svg`, alone(at.svg()).text, "image/svg+xml"),
    PNG: async (name, at) => save(`${name}.png`, await png(alone(at.svg())), "image/png"),
    CSV: (name, at) => save(`${name}.csv`, csv(at.table()), "text/csv"),
    LaTeX: (name, at) => save(`${name}.tex`, latex(at.table()), "application/x-tex"),
  };
  // A row of buttons; `svg` and `table` are functions that find what is exported.
  const toolbar = (name, at) => {
    const bar = document.createElement("span");
    bar.className = "export";
    bar.append("Save as ");
    for (const [way, act] of Object.entries(ways)) {
      if (!((way === "SVG" || way === "PNG") ? at.svg : at.table)) continue;
      const one = document.createElement("button");
      one.type = "button";
      one.textContent = way;
      one.setAttribute("aria-label", `Save ${name} as ${way}`);
      one.addEventListener("click", () => act(name, at));
      bar.append(one);
    }
    return bar;
  };
  // An element with data-export NAME holds figures and tables, and a place with class `exports`.
  for (const part of document.querySelectorAll("[data-export]")) {
    const own = [...part.querySelectorAll(".exports")]
      .find((one) => one.closest("[data-export]") === part);
    const svg = part.querySelector("figure");
    const table = part.querySelector("table");
    if (!own || !(svg || table)) continue;
    own.append(toolbar(part.dataset.export, {
      svg: svg && (() => part.querySelector("figure svg")),
      table: table && (() => part.querySelector("table")),
    }));
  }
  // A link into a closed part opens it; paper has all parts.
  const opened = () => {
    const id = location.hash.slice(1);
    const part = /^[\w-]+$/.test(id) && document.getElementById(id);
    if (part) {
      (part.matches("details") ? part : part.closest("details"))?.setAttribute("open", "");
      part.scrollIntoView();
    }
  };
  addEventListener("hashchange", opened);
  if (location.hash) opened();
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
  });
})();
