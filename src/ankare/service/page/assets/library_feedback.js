// What did readers think of answers?

import { call, number, when } from "./library_calls.js";
import { scrolled } from "./library_held.js";
import { make, say } from "./page_dom.js";

const SHOWN = 20;

/** Show the latest, and how many there are of each kind. Nothing is shown where nobody has said anything. */
export async function showFeedback() {
  const { feedback } = await call("GET", "feedback").catch(() => ({ feedback: [] }));
  document.getElementById("usage").hidden = !feedback.length;
  if (!feedback.length) return;
  const up = feedback.filter((said) => said.rating === "up").length;
  document.getElementById("feedback-counts").textContent = say("feedback_counts", { up: number(up), down: number(feedback.length - up) });
  const names = ["column_when", "column_rating", "column_reason", "column_question", "column_comment"];
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, say(name))));
  const rows = feedback.slice(-SHOWN).reverse().map((said) => make(
    "tr", {}, make("th", { scope: "row" }, when(said.time)), make("td", {}, say(`rating_${said.rating}`)),
    make("td", {}, said.reason && say(`reason_${said.reason}`)), make("td", {}, said.question), make("td", {}, said.comment),
  ));
  document.getElementById("feedback").replaceChildren(scrolled(say("usage"), head, rows));
}
