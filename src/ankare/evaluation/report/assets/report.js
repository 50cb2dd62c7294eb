"use strict";
// The report: opens a case with its evidence, decisions and scores; filters, sorts, and follows links to a case.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { texts, labels, measures, runs } = data;
  const list = document.getElementById("list");
  const cases = [...list.children];
  const lang = document.documentElement.lang;
  const field = (id) => document.getElementById(id);

  /** An element with a class and what stands in it; texts stay texts. */
  function make(tag, kind, ...inside) {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    made.append(...inside.filter((part) => part !== null && part !== undefined));
    return made;
  }

  const number = (value, most = 2) => value === null || value === undefined ? "–" : value.toLocaleString(lang, { maximumFractionDigits: most });
  const fold = (title, inside) => make("details", "fold", make("summary", "", title), inside);

  function evidence(told) {
    const items = told.map((one) => {
      const place = texts[one.source] + (one.pages.length ? `, ${labels.page.replace("{pages}", one.pages.join(", "))}` : "");
      const quotes = one.passages.map((parts) => make("blockquote", "",
        ...parts.map((part, at) => at % 2 ? make("mark", "", texts[part]) : texts[part])));
      const item = make("li", "", make("span", "place", place), ...quotes);
      item.value = one.n;
      if (one.link) {
        const link = make("a", "", labels.open_page);
        link.href = one.link;
        link.target = "_blank";
        link.rel = "noopener noreferrer";
        item.insertBefore(link, item.children[1] ?? null);
      }
      return item;
    });
    return make("ol", "evidence", ...items);
  }

  function judged(told) {
    return make("ul", "judged", ...told.map((one) => {
      const item = make("li", "", make("q", "", texts[one.text]));
      for (const name of ["conflict", "missing"]) if (name in one) item.append(make("p", "", `${labels[name]}: ${texts[one[name]]}`));
      if ("sentence" in one) item.append(make("p", "near", `${labels.near}: ${texts[one.sentence]}`));
      return item;
    }));
  }

  function table(heads, rows) {
    const kind = (at) => at ? "n" : "";
    const head = make("tr", "", ...heads.map((name, at) => { const cell = make("th", kind(at), name); cell.scope = "col"; return cell; }));
    const body = rows.map((row) => make("tr", "", ...row.map((text, at) => make(at ? "td" : "th", kind(at), text))));
    const scroll = make("div", "scroll", make("table", "", make("thead", "", head), make("tbody", "", ...body)));
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", heads[0]);
    return scroll;
  }

  const lines = (kind, places) => make("ul", kind, ...places.map((place) => make("li", "", texts[place])));

  function decisions(told) {
    const parts = [];
    if (told.gate) parts.push(make("h5", "", labels.relevance), lines("", told.gate));
    if (told.path) parts.push(lines("", told.path));
    if (told.agents) {
      parts.push(make("h5", "", labels.agents), make("ul", "", ...told.agents.map(([agent, status, ms, before, after]) => {
        const used = [ms === null ? null : `${number(ms, 0)} ms`, before === null && after === null ? null : labels.used.replace("{before}", number(before, 0)).replace("{after}", number(after, 0))];
        return make("li", "", make("b", "", texts[agent]), ` – ${texts[status]} `, make("small", "", used.filter(Boolean).join(" · ")));
      })));
    }
    if (told.sentences) {
      parts.push(make("h5", "", labels.grounding), make("ul", "verdicts", ...told.sentences.map(([held, text]) =>
        make("li", held ? "held" : "blocked", texts[text]))));
    }
    if (told.hits) parts.push(make("h5", "", labels.hits), make("ol", "", ...told.hits.map(([place]) => make("li", "", texts[place]))));
    if (told.ms) parts.push(make("p", "", `${number(told.ms, 0)} ms`));
    return make("div", "decided", ...parts);
  }

  function scores(one) {
    const rows = [];
    measures.forEach((measure, at) => {
      const values = one.values.map((run) => run[at]);
      if (values.some((value) => value !== null)) rows.push([measure.name, ...values.map((value) => number(value))]);
    });
    return table([labels.measure, ...runs], rows);
  }

  /** Puts into a case what is shown once it is open. */
  function fill(element) {
    if (element.dataset.full) return;
    element.dataset.full = "1";
    const one = data.cases[element.dataset.n];
    for (const answer of element.querySelectorAll(".answer")) {
      const told = one.answers[answer.dataset.run];
      if (told.judged) answer.append(fold(`${labels.judged} (${told.judged.length})`, judged(told.judged)));
      if (told.evidence?.length) {
        const opened = fold(`${labels.evidence} (${told.evidence.length})`, evidence(told.evidence));
        opened.open = true;
        answer.append(opened);
      }
      if (told.gate || told.path || told.agents || told.hits) answer.append(fold(labels.decisions, decisions(told)));
    }
    element.querySelector(".more").append(make("h4", "", labels.scores), scores(one));
    const link = make("a", "link", `#${element.id}`);
    link.href = `#${element.id}`;
    element.querySelector(".more").append(link);
  }

  let words = null;
  const wordsOf = (element) => (words ??= new Map(cases.map((one) => [one, one.textContent.toLocaleLowerCase(lang)]))).get(element);

  function shown(element) {
    const one = data.cases[element.dataset.n];
    const searched = field("search").value.trim().toLocaleLowerCase(lang);
    return (!field("type").value || one.type === field("type").value)
      && (!field("outcome").value || one.outcomes.includes(field("outcome").value))
      && (!field("only_worse")?.checked || "worse" in element.dataset)
      && (!field("only_aside").checked || one.asides.some(Boolean))
      && (!searched || wordsOf(element).includes(searched));
  }

  function filter() {
    let count = 0;
    for (const one of cases) {
      const fits = shown(one);
      one.hidden = !fits;
      count += fits;
    }
    field("count").textContent = labels.shown.replace("{shown}", number(count, 0)).replace("{all}", number(cases.length, 0));
  }

  function sort() {
    const [run, at] = field("sort").value.split(":").map(Number);
    const value = (one) => data.cases[one.dataset.n].values[run][at];
    const ordered = [...cases];
    if (field("sort").value) {
      const down = measures[at].up === "lower" ? -1 : 1;
      ordered.sort((a, b) => (value(a) === null) - (value(b) === null) || down * (value(a) - value(b)));
    }
    list.append(...ordered);
  }

  /** Opens the case that the address names, and shows it even where a filter hides it. */
  function follow() {
    const target = document.getElementById(location.hash.slice(1));
    if (target?.classList.contains("case")) {
      target.hidden = false;
      target.open = true;
      fill(target);
      target.scrollIntoView();
      target.querySelector("summary").focus({ preventScroll: true });
    }
  }

  list.addEventListener("toggle", (event) => {
    if (event.target.classList.contains("case") && event.target.open) fill(event.target);
  }, true);
  const filters = field("filters");
  filters.hidden = false;
  filters.addEventListener("input", (event) => event.target.id === "sort" ? sort() : filter());
  filters.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", follow);
  filter();
  follow();
  document.documentElement.dataset.ready = "1";
})();
