// Which figures have to be decided about: sources that differ, and figures that wait for review?

import { call } from "./library_calls.js";
import { scrolled } from "./library_held.js";
import { announce, make, say } from "./page_dom.js";

const STATUS = { approved: "approved", pending: "pending_status", rejected: "rejected" };

/** Show them. */
export async function showDecisions() {
  try {
    show(await call("GET", "conflicts"));
  } catch (trouble) {
    announce(trouble.message);
  }
}

function show(found) {
  for (const kind of ["conflicts", "pending"]) {
    const place = document.getElementById(kind);
    place.replaceChildren(...found[kind].map((figure) => drawn(figure, kind)));
    document.getElementById(`no-${kind}`).hidden = found[kind].length > 0;
  }
  document.getElementById("conflicts-hint").hidden = !found.conflicts.length;
  document.getElementById("more-to-decide").hidden = !found.more;
}

function drawn(figure, kind) {
  const channel = figure.channel === "TOTAL" ? "" : figure.channel;
  const name = [figure.metric, figure.entity, figure.period, channel].filter(Boolean).join(", ");
  const head = ["column_value", "column_source_of", "column_status", "column_action"];
  const cells = head.map((key) => make("th", { scope: "col" }, say(key)));
  const rows = figure.stated.map((stated) => row(stated, name, kind));
  return make("div", { class: "lib-figure" }, make("h4", {}, name), scrolled(name, make("tr", {}, ...cells), rows));
}

function row(stated, name, kind) {
  const place = [stated.document, saidPlace(stated.locator), stated.file !== stated.document ? stated.file : ""].filter(Boolean).join(", ");
  const buttons = (kind === "pending" ? ["approve", "reject"] : ["reject"]).map((verdict) => {
    const words = say(verdict);
    const named = say("of_file", { action: words, name: `${name}, ${stated.value} ${stated.unit} (${place})` });
    return make("button", { type: "button", class: "ak-plain", "aria-label": named, click: () => decide(stated.id, verdict) }, words);
  });
  return make(
    "tr", {}, make("th", { scope: "row", class: "lib-value" }, `${stated.value} ${stated.unit}`), make("td", {}, place),
    make("td", {}, say(STATUS[stated.review_status] ?? "pending_status")), make("td", {}, make("div", { class: "ak-row" }, ...buttons)),
  );
}

/** A row of a file of figures in the reader's language, a cell as it is. */
const saidPlace = (locator) => locator.replace(/^row (\d+)$/, (_, number) => say("row", { number }));

async function decide(id, verdict) {
  try {
    show(await call("POST", "facts/review", { ids: [id], status: { approve: "approved", reject: "rejected" }[verdict] }));
    announce(say("decided"));
    document.getElementById("decide-title").focus();
  } catch (trouble) {
    announce(trouble.message);
  }
}
