// How is a question written? The field and button are Gradio's; what keys do, the counter and what is said of a fault are ours.

import { make, say, start } from "./page_dom.js";

const TOLD_FROM = 0.8;

/** The field, once Gradio has drawn it. */
const field = () => document.querySelector("#question textarea");

/** What is written in the field. */
export function written() {
  return field()?.value ?? "";
}

/** Put a question into the field, for Gradio too. @param {string} question */
export function fill(question) {
  drawn.then((area) => {
    area.value = question;
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Move the focus to the field. */
export function focusField() {
  field()?.focus();
}

const drawn = new Promise((resolve) => {
  const look = () => {
    if (field()) {
      watcher.disconnect();
      resolve(field());
    }
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document.body, { childList: true, subtree: true });
  look();
});

/** Let Enter and the button ask. @param {(question: string) => void} ask */
export function listen(ask) {
  // Before Gradio sees the key: it would take Shift+Enter for its own.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== field() || event.isComposing || event.keyCode === 229) return;
    event.stopImmediatePropagation();
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (mayBeAsked(written())) ask(written());
  }, true);
  document.addEventListener("keypress", (event) => {
    if (event.key === "Enter" && event.target === field()) event.stopImmediatePropagation();
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#ask") && mayBeAsked(written())) ask(written());
  });
  drawn.then((area) => {
    repair(area);
    area.addEventListener("input", () => { told(""); count(area.value.length); });
    count(area.value.length);
  });
}

/** Can this be asked? Says so where it cannot. @param {string} question */
export function mayBeAsked(question) {
  const fault = !question.trim() ? say("empty") : question.length > start.limit ? say("too_long", { limit: start.limit }) : "";
  told(fault);
  if (fault) focusField();
  return !fault;
}

function told(fault) {
  document.getElementById("fault")?.remove();
  field()?.toggleAttribute("aria-invalid", Boolean(fault));
  field()?.setAttribute("aria-describedby", fault ? "fault counter" : "counter");
  if (fault) document.getElementById("counter").before(make("p", { class: "ak-fault", id: "fault", role: "alert" }, fault));
}

function count(length) {
  const counter = document.getElementById("counter");
  counter.hidden = length < start.limit * TOLD_FROM;
  counter.classList.toggle("ak-over-limit", length > start.limit);
  counter.textContent = counter.hidden ? "" : say("counter", { count: length, limit: start.limit });
}

/** Gradio's own landmarks and states stand inside ours: they are set right here. @param {HTMLTextAreaElement} area */
function repair(area) {
  document.querySelectorAll("gradio-app main").forEach((main) => main.setAttribute("role", "presentation"));
  document.querySelectorAll("gradio-app [role=status].sr-only").forEach((status) => status.removeAttribute("role"));
  area.setAttribute("enterkeyhint", "send");
  area.setAttribute("aria-describedby", "counter");
}
