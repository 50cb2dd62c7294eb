// What does the service hold: documents, files that were not read, tables of figures? And how is one taken out?

import { call, number, size, when } from "./library_calls.js";
import { forgetTaken } from "./library_uploads.js";
import { announce, make, say, start } from "./page_dom.js";

const PAGE = 50;
const PAUSE = 250;
const COLUMNS = ["source", "type", "pages", "chunks", "label", "added"];
const NUMBERS = new Set(["pages", "chunks"]);
const search = document.getElementById("search");
const dialog = document.getElementById("confirm");
let order = { sort: "source", descending: false };
let shownRows = PAGE;
let onRemoved = () => {};
let asked = 0;

/** Show what is held. @param {() => void} removed what to do when something is to be taken out */
export function showHeld(removed) {
  onRemoved = removed;
  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => { shownRows = PAGE; documents(true); }, PAUSE);
  });
  document.getElementById("more").addEventListener("click", () => { shownRows += PAGE; documents(true); });
  refresh();
}

/** Look again at everything that is held. */
export function refresh() {
  return Promise.all([documents(false), unread(), figures()].map((shown) => shown.catch((trouble) => announce(trouble.message))));
}

/** @param {boolean} told say how many there are */
async function documents(told) {
  const mine = ++asked;
  const rows = [];
  let total = 0;
  do {
    const query = new URLSearchParams({ search: search.value, offset: rows.length, limit: Math.min(500, shownRows - rows.length), ...order });
    const found = await call("GET", `documents?${query}`);
    if (mine !== asked) return; // a later question is on its way
    total = found.total;
    rows.push(...found.documents);
    if (!found.documents.length) break;
  } while (rows.length < Math.min(shownRows, total));
  const count = total ? say("shown", { shown: number(rows.length), total: number(total) }) : say("no_documents");
  document.getElementById("count").textContent = count;
  document.getElementById("more").hidden = rows.length >= total;
  document.getElementById("documents").replaceChildren(...(rows.length ? [table(rows)] : []));
  if (told) announce(count);
}

function table(rows) {
  const heads = COLUMNS.map((column) => {
    const now = order.sort === column;
    const press = () => {
      order = { sort: column, descending: now && !order.descending };
      documents(false).then(() => document.getElementById(`sort-${column}`)?.focus());
    };
    const words = say(`column_${column}`);
    const sign = now ? (order.descending ? " ↓" : " ↑") : "";
    const button = make("button", { type: "button", id: `sort-${column}`, class: "lib-sort", title: say("sorted_by", { column: words }), click: press }, words, make("span", { "aria-hidden": "true" }, sign));
    return make("th", { scope: "col", class: NUMBERS.has(column) ? "ak-number" : "", "aria-sort": now ? (order.descending ? "descending" : "ascending") : "none" }, button);
  });
  heads.push(make("th", { scope: "col" }, make("span", { class: "ak-hidden" }, say("column_action"))));
  return scrolled(say("documents"), make("tr", {}, ...heads), rows.map(documentRow));
}

function documentRow(row) {
  const notes = [row.title !== row.source ? row.title : "", row.version && say("version", { version: row.version }), row.library ? "" : say("elsewhere")];
  const name = make("th", { scope: "row" }, opens(row) ? make("a", { href: `/sources/${row.id}` }, row.source) : row.source, make("span", { class: "lib-small" }, notes.filter(Boolean).join(", ")));
  if (row.pages_without_text.length) {
    name.append(make("span", { class: "lib-small lib-warn" }, say("image_pages", { pages: row.pages_without_text.map(number).join(", ") })));
  }
  const remove = removeButton(row.source, `documents/${encodeURIComponent(row.id)}`, row.library);
  const cells = [row.type, number(row.pages), number(row.chunks), row.label || say("everyone"), when(row.added)];
  return make("tr", {}, name, ...cells.map((text, at) => make("td", { class: at === 1 || at === 2 ? "ak-number" : "" }, text)), make("td", {}, remove));
}

/** Without keys nobody but the owner of the home can open what has a label. */
const opens = (row) => !row.label || start.keys;

async function unread() {
  const { files } = await call("GET", "files");
  forgetTaken(files.map((file) => file.name));
  const found = files.filter((file) => !file.held);
  document.getElementById("unread").hidden = !found.length;
  document.getElementById("unread-files").replaceChildren(...found.map((file) => make(
    "li", {}, make("span", { class: "lib-name" }, file.name), ` ${[size(file.size), file.label, when(file.added)].filter(Boolean).join(", ")} `,
    removeButton(file.name, `files/${encodeURIComponent(file.name)}`, true),
  )));
}

async function figures() {
  const { files } = await call("GET", "facts");
  document.getElementById("no-figures").hidden = files.length > 0;
  const names = ["column_file", "column_approved", "column_pending", "column_rejected", "column_label", "column_added"];
  const head = names.map((name, at) => make("th", { scope: "col", class: at > 0 && at < 4 ? "ak-number" : "" }, say(name)));
  head.push(make("th", { scope: "col" }, make("span", { class: "ak-hidden" }, say("column_action"))));
  const rows = files.map((file) => make(
    "tr", {}, make("th", { scope: "row" }, file.file, make("span", { class: "lib-small" }, file.library ? "" : say("elsewhere"))),
    ...[file.approved, file.pending, file.rejected].map((count) => make("td", { class: "ak-number" }, number(count))),
    make("td", {}, file.label || say("everyone")), make("td", {}, when(file.added)),
    make("td", {}, removeButton(file.file, `facts/${encodeURIComponent(file.id)}`, file.library)),
  ));
  document.getElementById("figures").replaceChildren(...(rows.length ? [scrolled(say("figures"), make("tr", {}, ...head), rows)] : []));
}

/** A table that is scrolled inside itself where it is wide. */
export function scrolled(name, head, rows) {
  const body = make("tbody", {}, ...rows);
  const inner = make("table", {}, make("caption", { class: "ak-hidden" }, name), make("thead", {}, head), body);
  const names = [...head.cells].map((cell) => cell.querySelector("button")?.firstChild.textContent ?? cell.textContent);
  for (const row of rows) {
    [...row.cells].forEach((cell, at) => { if (at && !cell.querySelector("button")) cell.dataset.name = names[at]; });
  }
  keepRoles(inner);
  return make("div", { class: "ak-scroll", tabindex: 0, role: "group", "aria-label": name }, inner);
}

/** A table that is shown as blocks on a phone stays a table for a screen reader. */
function keepRoles(table) {
  const roles = { table: "table", thead: "rowgroup", tbody: "rowgroup", tr: "row", td: "cell" };
  for (const [tag, role] of Object.entries(roles)) {
    for (const found of [table, ...table.querySelectorAll(tag)]) if (found.matches(tag)) found.setAttribute("role", role);
  }
  for (const head of table.querySelectorAll("th")) head.setAttribute("role", head.scope === "row" ? "rowheader" : "columnheader");
}

function removeButton(name, path, own) {
  const press = () => confirmed(name, own, async () => {
    try {
      await call("DELETE", path);
      announce(say("removing", { name }));
      onRemoved();
    } catch (trouble) {
      announce(trouble.message);
    }
  });
  return make("button", { type: "button", class: "ak-plain", "aria-label": say("of_file", { action: say("remove"), name }), click: press }, say("remove"));
}

/** Ask before something is taken out. The dialog gives the focus back by itself. */
function confirmed(name, own, go) {
  document.getElementById("confirm-title").textContent = say("remove_title", { name });
  document.getElementById("confirm-text").textContent = say(own ? "remove_own" : "remove_other");
  dialog.returnValue = "";
  dialog.addEventListener("close", () => { if (dialog.returnValue === "remove") go(); }, { once: true });
  dialog.showModal();
}
