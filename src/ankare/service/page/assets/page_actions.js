// What can be done with an answer: copy it with its sources, share the question, say whether it helped?

import { reached } from "./page_ask.js";
import { announce, flags, icon, make, say, start } from "./page_dom.js";

/** What may be wrong, by what the service did. */
const REASONS = {
  answer: ["wrong", "incomplete", "wrong_source", "not_relevant", "language", "other"],
  refusal: ["should_have_answered", "language", "other"],
};
const ICONS = {
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  up: "M7 11v9H4v-9zM7 11l4-8c2 0 3 1 3 3l-.5 3H19c1.500 0 2 1 1.700 2.300l-1.500 6.500c-.3 1.200-1 2.200-2.200 2.200H7",
  down: "M17 13V4h3v9zM17 13l-4 8c-2 0-3-1-3-3l.5-3H5c-1.500 0-2-1-1.700-2.300l1.500-6.500C5.100 5 5.800 4 7 4h10",
};

/** The row below an answer: a refusal has nothing to copy, a question asked back nothing to judge either. @param {string} question @param {Record<string, any>} answer @param {HTMLElement} body its text */
export function actions(question, answer, body) {
  const confirmation = make("span", { class: "ak-confirmed" });
  const confirm = (words) => { confirmation.textContent = words; announce(words); };
  const button = (name, act) => make("button", { type: "button", class: "ak-plain", click: act }, icon(ICONS[name === "share" ? "link" : name]), say(name));
  const copy = button("copy", async () => confirm(say((await copied(plain(answer), html(body))) ? "copied" : "copy_failed")));
  const share = button("share", async () => confirm(say((await copied(address(question))) ? "shared" : "copy_failed")));
  copy.id = "copy";
  share.id = "share";
  const row = make("div", { class: "ak-row" }, ...(answer.kind === "answer" ? [copy] : []), share, confirmation);
  return make("div", { class: "ak-actions" }, row, ...(answer.kind === "question" ? [] : [feedback(question, answer)]));
}

/** The address that asks this question on this page. @param {string} question */
export function address(question) {
  const kept = flags();
  kept.set("lang", start.language);
  return `${location.origin}/?${new URLSearchParams([["q", question], ...kept])}`;
}

function plain(answer) {
  return answer.markdown.replaceAll("](/", `](${location.origin}/`);
}

/** The answer as simple HTML for word processors: marks in brackets, no buttons. */
function html(body) {
  const copy = body.cloneNode(true);
  copy.querySelectorAll(".ak-asking, .ak-debug, svg").forEach((one) => one.remove());
  copy.querySelectorAll(".ak-cite").forEach((mark) => mark.replaceWith(` [${mark.textContent}]`));
  copy.querySelectorAll("button").forEach((one) => one.replaceWith(one.textContent));
  copy.querySelectorAll("a").forEach((link) => link.setAttribute("href", link.href));
  return copy.innerHTML;
}

async function copied(text, rich = "") {
  try {
    if (rich && navigator.clipboard?.write) {
      const kinds = { "text/plain": new Blob([text], { type: "text/plain" }), "text/html": new Blob([rich], { type: "text/html" }) };
      await navigator.clipboard.write([new ClipboardItem(kinds)]);
    } else await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedTheOldWay(text);
  }
}

/** Without https a browser has no other way. */
function copiedTheOldWay(text) {
  const area = make("textarea", { class: "ak-hidden", "aria-hidden": "true" }, text);
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus();
  return done;
}

/** Thumbs. Up is sent at once; down waits for a reason, and is sent without one where the reader goes on. */
function feedback(question, answer) {
  const said = make("p", { class: "ak-confirmed" });
  let waiting = false;
  const send = async (more) => {
    waiting = false;
    try {
      await reached("/api/feedback", { answer_id: answer.answer_id, ...more });
      said.textContent = say("feedback_thanks");
      holder.querySelector("form")?.remove();
    } catch {
      said.textContent = say("feedback_failed");
    }
    announce(said.textContent);
  };
  const press = (rating) => {
    thumbs.forEach((thumb) => thumb.setAttribute("aria-pressed", String(thumb.id === rating)));
    holder.querySelector("form")?.remove();
    if (rating === "up") return send({ rating });
    waiting = true;
    holder.append(form(answer.kind, question, async (more) => {
      await send({ rating, ...more });
      thumbs[1].focus();
    }));
    holder.querySelector("input").focus();
  };
  const thumbs = ["up", "down"].map((rating) =>
    make("button", { type: "button", class: "ak-round", id: rating, "aria-pressed": "false", "aria-label": say(rating), title: say(rating), click: () => press(rating) }, icon(ICONS[rating])),
  );
  const asked = say(answer.kind === "refusal" ? "helpful_refusal" : "helpful");
  const row = make("div", { class: "ak-row", role: "group", "aria-label": asked }, make("span", {}, asked), ...thumbs, said);
  const holder = make("div", { class: "ak-feedback", id: "feedback" }, row);
  const flush = () => {
    if (!waiting) return;
    waiting = false;
    const body = JSON.stringify({ answer_id: answer.answer_id, rating: "down" });
    fetch("/api/feedback", { method: "POST", headers: { "Content-Type": "application/json" }, body, keepalive: true }).catch(() => {});
  };
  holder.addEventListener("ak-leave", flush);
  addEventListener("pagehide", flush);
  return holder;
}

/** Why, for whoever wants to say it. Nothing of it has to be filled in. */
function form(kind, question, send) {
  const reasons = REASONS[kind].map((reason) =>
    make("label", {}, make("input", { type: "radio", name: "reason", value: reason }), ` ${say(`reason_${reason}`)}`));
  const comment = make("textarea", { name: "comment", rows: "2", maxlength: "2000" });
  const along = make("input", { type: "checkbox", name: "along" });
  const submit = (event) => {
    event.preventDefault();
    const reason = new FormData(event.target).get("reason");
    const more = {};
    if (reason) more.reason = reason;
    if (comment.value.trim()) more.comment = comment.value.trim();
    if (along.checked) more.question = question;
    send(more);
  };
  return make("form", { class: "ak-reasons", submit },
    make("fieldset", {}, make("legend", {}, say("feedback_reason")), ...reasons),
    make("label", { class: "ak-block" }, say("feedback_comment"), comment),
    make("label", {}, along, ` ${say("feedback_with_question")}`),
    make("div", { class: "ak-row" }, make("button", { type: "submit", class: "ak-button" }, say("feedback_send"))));
}
