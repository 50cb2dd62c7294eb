// How is a question asked after another? What it takes over from the one before is shown, can be edited, and is all that is sent.

import { reached } from "./page_ask.js";
import { announce, flags, make, say, start } from "./page_dom.js";

/** The field below an answer. @param {string} previous the question before, as it was sent @param {(question: string) => void} ask */
export function followUp(previous, ask) {
  let understood = false;
  const label = make("label", { for: "follow-up" }, say("follow_up"));
  const area = make("textarea", { id: "follow-up", rows: "1", maxlength: start.limit, placeholder: say("follow_up_placeholder"), "aria-describedby": "follow-up-hint", enterkeyhint: "send" });
  const button = make("button", { type: "submit", class: "ak-button", id: "send" }, say("ask"));
  const hint = make("p", { class: "ak-hint", id: "follow-up-hint" }, say("follow_up_hint"));

  const show = (question) => {
    understood = true;
    label.textContent = say("understood");
    form.classList.add("ak-understood");
    area.value = question;
    grow(area);
    area.focus();
    area.setSelectionRange(question.length, question.length);
    announce(say("understood"));
  };
  const send = async () => {
    const text = area.value.trim();
    if (!text) return area.focus();
    if (understood) return ask(text);
    button.setAttribute("aria-disabled", "true");
    const found = await understand(previous, text);
    button.removeAttribute("aria-disabled");
    return found.changed ? show(found.question) : ask(found.question);
  };
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  area.addEventListener("input", () => grow(area));
  const form = make("form", { class: "ak-follow", submit: (event) => { event.preventDefault(); send(); } }, label, make("div", { class: "ak-row" }, area, button), hint);
  return form;
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
