// Ratings are kept in this browser and handed out as a file; nothing is ever sent.
"use strict";
(() => {
  const sheet = JSON.parse(document.getElementById("sheet").textContent);
  const { texts, points, cannot } = sheet;
  const items = [...document.querySelectorAll(".item")];
  const byId = (id) => document.getElementById(id);
  const place = `ankare-review-${sheet.id}`;
  const rater = byId("rater");
  let ratings = {};
  let shown = 0;
  let keeping = true;
  let unsaved = false;

  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const idOf = (item) => item.dataset.item;
  const radios = (item, point) => [...item.querySelectorAll(`fieldset[data-point="${point}"] input`)];
  const isDone = (item) => points.every((point) => ratings[idOf(item)]?.scores[point]);
  const open = () => items.filter((item) => !isDone(item)).length;

  // --- keeping

  function keep() {
    unsaved = true;
    try {
      localStorage.setItem(place, JSON.stringify({ rater: rater.value, ratings }));
    } catch {
      keeping = false;
    }
    tellKeeping();
  }

  function recall() {
    try {
      const kept = JSON.parse(localStorage.getItem(place) ?? "null");
      if (kept) {
        rater.value = typeof kept.rater === "string" ? kept.rater : "";
        take(Object.entries(kept.ratings ?? {}).map(([item, rated]) => ({ item, ...rated.scores, comment: rated.comment })));
      }
      localStorage.setItem(`${place}-try`, "1");
      localStorage.removeItem(`${place}-try`);
    } catch {
      keeping = false;
    }
    tellKeeping();
  }

  function tellKeeping() {
    byId("kept").textContent = keeping ? texts.kept : texts.not_kept;
    byId("kept").classList.toggle("notice", !keeping);
  }

  // What is not of this sheet, or no rating, is left out; how many answers were taken is told.
  function take(rows) {
    const known = new Map(items.map((item) => [idOf(item), item]));
    let taken = 0;
    for (const row of rows) {
      const item = known.get(row?.item);
      if (!item) continue;
      const scores = {};
      for (const point of points) {
        const value = row[point];
        if (value === cannot || [1, 2, 3, 4, 5].includes(Number(value))) scores[point] = value === cannot ? cannot : Number(value);
      }
      const comment = typeof row.comment === "string" ? row.comment.slice(0, sheet.longest) : "";
      ratings[idOf(item)] = { scores, comment };
      paint(item);
      taken += 1;
    }
    return taken;
  }

  function paint(item) {
    const rated = ratings[idOf(item)] ?? { scores: {}, comment: "" };
    for (const point of points) {
      for (const radio of radios(item, point)) radio.checked = radio.value === String(rated.scores[point]);
      explain(item.querySelector(`fieldset[data-point="${point}"]`));
    }
    item.querySelector("textarea").value = rated.comment;
  }

  // --- rating

  function rate(item, point, value) {
    ratings[idOf(item)] ??= { scores: {}, comment: "" };
    ratings[idOf(item)].scores[point] = value === cannot ? cannot : Number(value);
    keep();
    progress();
  }

  // The words for the number under the pointer, else for the one that is chosen, else for both ends.
  function explain(group, radio = null) {
    const told = radio ?? group.querySelector("input:checked");
    const line = group.querySelector(".means");
    line.textContent = told ? told.dataset.means : line.dataset.ends;
  }

  function onward(group) {
    const next = group.nextElementSibling;
    const target = next?.matches("fieldset") ? next.querySelector("input:checked") ?? next.querySelector("input") : null;
    (target ?? group.closest(".item").querySelector("textarea")).focus();
  }

  for (const item of items) {
    for (const group of item.querySelectorAll("fieldset")) {
      const point = group.dataset.point;
      explain(group);
      group.addEventListener("change", (event) => {
        rate(item, point, event.target.value);
        explain(group);
      });
      group.addEventListener("mouseover", (event) => explain(group, event.target.closest("label")?.querySelector("input")));
      group.addEventListener("mouseleave", () => explain(group));
      group.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !/^[0-5]$/.test(event.key)) return;
        event.preventDefault();
        const value = event.key === "0" ? cannot : event.key;
        const radio = radios(item, point).find((one) => one.value === value);
        radio.checked = true;
        rate(item, point, value);
        explain(group);
        onward(group);
      });
    }
    item.querySelector("textarea").addEventListener("input", (event) => {
      ratings[idOf(item)] ??= { scores: {}, comment: "" };
      ratings[idOf(item)].comment = event.target.value;
      keep();
    });
  }

  // --- going from answer to answer

  function progress() {
    const done = items.length - open();
    byId("bar").value = done;
    byId("progress").textContent = filled(texts.progress, { done, total: items.length });
  }

  function show(number, moved = true) {
    shown = Math.max(0, Math.min(items.length - 1, number));
    items.forEach((item, at) => { item.hidden = at !== shown; });
    byId("previous").disabled = shown === 0;
    byId("next").disabled = shown === items.length - 1;
    if (!moved) return;
    const head = items[shown].querySelector("h2");
    head.focus({ preventScroll: true });
    items[shown].scrollIntoView();
  }

  function showOpen() {
    const order = [...items.keys()].map((at) => (shown + 1 + at) % items.length);
    const next = order.find((at) => !isDone(items[at]));
    if (next === undefined) say(texts.all_done);
    else show(next);
  }

  byId("previous").addEventListener("click", () => show(shown - 1));
  byId("next").addEventListener("click", () => show(shown + 1));
  byId("next-open").addEventListener("click", showOpen);

  // --- files

  function say(text) {
    byId("status").textContent = text;
  }

  function named() {
    const missing = !rater.value.trim();
    rater.toggleAttribute("aria-invalid", false);
    if (missing) rater.setAttribute("aria-invalid", "true");
    byId("rater-fault").hidden = !missing;
    if (missing) rater.focus();
    return !missing;
  }

  const rows = () => items.map((item) => {
    const rated = ratings[idOf(item)] ?? { scores: {}, comment: "" };
    const scores = Object.fromEntries(points.map((point) => [point, rated.scores[point] ?? ""]));
    return { item: idOf(item), ...scores, comment: rated.comment };
  });

  // A text that a spreadsheet might work out begins with an apostrophe.
  const cell = (value) => {
    const text = String(value);
    return `"${(/^\s*[=+\-@\t\r\n|%＝＋－＠]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };

  function csv() {
    const head = ["sheet", "item", "rater", ...points, "comment"];
    const lines = rows().map((row) => [sheet.id, row.item, rater.value.trim(), ...points.map((point) => row[point]), row.comment]);
    return "\ufeff" + [head, ...lines].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
  }

  const json = () => JSON.stringify({ format: sheet.format, sheet: sheet.id, rater: rater.value.trim(), ratings: rows() }, null, 1);

  function save(kind, type, content) {
    if (!named()) return;
    const who = rater.value.trim().normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40);
    const name = `ratings-${who || "rater"}-${sheet.id}.${kind}`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content()], { type }));
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    unsaved = false;
    say(filled(texts.saved, { name, open: open() }));
  }

  byId("save-csv").addEventListener("click", () => save("csv", "text/csv;charset=utf-8", csv));
  byId("save-json").addEventListener("click", () => save("json", "application/json", json));

  byId("open").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    try {
      const told = JSON.parse(await file.text());
      if (told.sheet !== sheet.id || !Array.isArray(told.ratings)) throw new Error("another sheet");
      if (typeof told.rater === "string") rater.value = told.rater;
      const count = take(told.ratings);
      keep();
      progress();
      say(filled(texts.opened, { count }));
    } catch {
      say(texts.not_opened);
    }
  });

  byId("other").addEventListener("click", () => {
    if (!window.confirm(texts.other_rater_sure)) return;
    ratings = {};
    rater.value = "";
    items.forEach(paint);
    keep();
    progress();
    show(0, false);
    rater.focus();
  });

  rater.addEventListener("input", () => {
    if (rater.value.trim()) {
      rater.removeAttribute("aria-invalid");
      byId("rater-fault").hidden = true;
    }
    keep();
  });

  window.addEventListener("beforeunload", (event) => {
    if (!keeping && unsaved) event.preventDefault();
  });

  recall();
  unsaved = false;
  progress();
  show(Math.max(0, items.findIndex((item) => !isDone(item))), false);
  document.body.classList.add("ready");
})();
