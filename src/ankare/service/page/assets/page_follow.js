// How is a question asked after another? What it takes over from the one before is shown, can be edited, and is all that is sent.

import { reached } from "./page_ask.js";
import { announce, flags, make, say, start } from "./page_dom.js";

/** The field below an answer. @param {string} previous the question that it goes on from, as it was sent @param {(question: string) => void} ask */
export function followUp(previous, ask) {
  /** The question as it was understood, while it is proposed. */
  let proposed = "";
  const label = make("label", { for: "follow-up" }, say("follow_up"));
  const area = make("textarea", { id: "follow-up", rows: "1", maxlength: start.limit, placeholder: say("follow_up_placeholder"), "aria-describedby": "follow-up-hint", enterkeyhint: "send" });
  const button = make("button", { type: "submit", class: "ak-button", id: "send" }, say("ask"));
  const hint = make("p", { class: "ak-hint", id: "follow-up-hint" }, say("follow_up_hint"));

  /** What the button does: ask what is proposed, or read what was written in its place. */
  const named = () => {
    button.textContent = say(isOf(proposed, area.value.trim()) ? "ask_understood" : "ask");
  };
  const propose = (question) => {
    proposed = question.trim();
    label.textContent = say("understood");
    form.classList.add("ak-understood");
    area.value = question;
    grow(area);
    named();
    area.focus();
    area.setSelectionRange(question.length, question.length);
    announce(say("understood"));
  };
  const send = async () => {
    const text = area.value.trim();
    if (!text) return area.focus();
    if (isOf(proposed, text)) return ask(text);
    button.setAttribute("aria-disabled", "true");
    const found = await understand(previous, text);
    button.removeAttribute("aria-disabled");
    return found.changed ? propose(found.question) : ask(found.question);
  };
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  area.addEventListener("input", () => { grow(area); named(); });
  const form = make("form", { class: "ak-follow", submit: (event) => { event.preventDefault(); send(); } }, label, make("div", { class: "ak-row" }, area, button), hint);
  return form;
}

/** Is it what is proposed, as it stands or corrected somewhere, and not something else in its place? */
function isOf(proposed, text) {
  const most = Math.min(proposed.length, text.length);
  let [first, last] = [0, 0];
  while (first < most && proposed[first] === text[first]) first += 1;
  while (last < most - first && proposed.at(-1 - last) === text.at(-1 - last)) last += 1;
  return proposed !== "" && first + last >= proposed.length / 2;
}

/** The text as a question of its own; as it stands where that cannot be told. */
async function understand(previous, text) {
  const body = { previous, question: text };
  if (flags().has("reference_date")) body.reference_date = flags().get("reference_date");
  try {
    return await (await reached("/api/understand", body)).json();
  } catch {
    return { question: text, changed: false };
  }
}

function grow(area) {
  area.style.height = "auto";
  area.style.height = `${Math.min(area.scrollHeight + 2, 220)}px`;
}
