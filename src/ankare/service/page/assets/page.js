// Start here: a question is asked, its steps are told, its answer is shown, and the ones before stay above, folded.

import { actions } from "./page_actions.js";
import { ask, Problem } from "./page_ask.js";
import { announce, fromService, icon, make, moves, say, start, wide } from "./page_dom.js";
import { fill, focusField, listen as listenToField, mayBeAsked, written } from "./page_field.js";
import { followUp } from "./page_follow.js";
import { close as closePanel, listen as listenToMarks, open as openPanel } from "./page_panel.js";

const conversation = document.getElementById("conversation");
/** The answers of this visit, with what their marks show. @type {WeakMap<Element, Record<string, any>>} */
const answers = new WeakMap();
/** The room that a source and the gap before it take beside an answer, in rem, as the style sheet says. */
const BESIDE = 38.5;
/** The question that is being answered. @type {{controller: AbortController, article: HTMLElement} | null} */
let running = null;
/** The last question that was answered: follow-ups go on from it, not from one that came to nothing. */
let context = "";

/** Ask a question, whoever it comes from. @param {string} question */
async function put(question) {
  running?.controller.abort();
  closePanel();
  fill(question);
  keepLanguageLinks(question);
  document.getElementById("examples")?.setAttribute("hidden", "");
  foldLast();
  const begun = { controller: new AbortController(), article: waiting(question) };
  running = begun;
  const before = document.activeElement;
  try {
    const answer = await ask(question, { signal: begun.controller.signal, ...reporter(begun.article) });
    if (running === begun) show(begun.article, question, answer, before);
  } catch (error) {
    if (running === begun) fail(begun.article, question, error, before);
  } finally {
    if (running === begun) running = null;
  }
}

/** The answer's place while it is worked on: the question, the steps, a way to stop. */
function waiting(question) {
  const stop = make("button", { type: "button", class: "ak-button ak-quiet", id: "stop", click: () => running?.controller.abort() }, say("stop"));
  const steps = make("ol", { class: "ak-steps" });
  const work = make("div", { class: "ak-work" }, make("span", { class: "ak-spinner", "aria-hidden": "true" }), make("div", { class: "ak-work-told" }, make("p", {}, say("working")), steps), stop);
  const head = make("header", { class: "ak-turn-head" }, make("p", { class: "ak-over" }), make("h2", { tabindex: "-1" }, question));
  const article = make("article", { class: "ak-turn", id: "answer", "aria-busy": "true" }, head, work);
  conversation.append(article);
  if (moves()) article.classList.add("ak-fades");
  intoView(article);
  return article;
}

/** Tells steps as they begin. What passes in a moment is seen, but not spoken. */
function reporter(article) {
  let spoken = 0;
  const steps = article.querySelector(".ak-steps");
  const told = (words) => {
    clearTimeout(spoken);
    spoken = setTimeout(() => { if (article.getAttribute("aria-busy") === "true") announce(words); }, 700);
  };
  return {
    onStep(name, words) {
      if (!words) return;
      steps.querySelector("[aria-current]")?.removeAttribute("aria-current");
      steps.append(make("li", { "data-step": name, "aria-current": "step" }, words));
      told(words);
    },
    onWait(seconds) {
      const words = say("retrying", { seconds });
      steps.replaceChildren(make("li", { "aria-current": "step" }, words));
      told(words);
    },
  };
}

function show(article, question, answer, before) {
  answers.set(article, answer);
  const body = make("div", { class: "ak-body", lang: answer.language }, fromService(answer.html));
  body.querySelectorAll("[data-view]").forEach((mark) => {
    mark.setAttribute("aria-expanded", "false");
    mark.setAttribute("aria-controls", wide.matches ? "panel" : "sheet");
  });
  settle(article, answer.kind, answer.title);
  article.append(body, actions(question, answer, body));
  if (answer.debug) article.append(debug(answer.debug));
  if (answer.goes_on) context = question;
  article.append(followUp(context || question, put));
  const first = body.querySelector("[data-view]");
  if (first && wide.matches && !fillsTheRoom(body)) openPanel(answer.views[Number(first.dataset.view)], first);
  announce(answer.said);
  arrive(article, question, before);
}

/** Does a table need the room that the source would take? Then the source waits until a mark is used. */
function fillsTheRoom(body) {
  const beside = document.getElementById("layout").clientWidth - BESIDE * parseFloat(getComputedStyle(document.documentElement).fontSize);
  return [...body.querySelectorAll(".ak-said table:not(.ak-figures)")].some((table) => table.scrollWidth > beside);
}

function debug(html) {
  return make("details", { class: "ak-details", id: "debug", open: true }, make("summary", {}, say("debug_title") || "Debug"), fromService(html));
}

function fail(article, question, error, before) {
  if (error.name === "AbortError") {
    article.remove();
    foldBack();
    announce(say("stopped"));
    return focusField();
  }
  const words = error instanceof Problem ? error.message : say("failed");
  if (!(error instanceof Problem)) console.error(error);
  settle(article, "problem", say("problem_to"));
  const again = make("button", { type: "button", class: "ak-button", click: () => put(question) }, say("try_again"));
  const login = make("a", { class: "ak-button", href: `/login?next=${encodeURIComponent(`/?q=${encodeURIComponent(question)}`)}` }, say("log_in"));
  article.append(make("p", { class: "ak-problem" }, words), make("div", { class: "ak-row" }, error.status === 401 ? login : again));
  announce(words);
  arrive(article, question, before);
}

/** The work is over: its place is taken by what came of it. */
function settle(article, kind, title) {
  article.removeAttribute("aria-busy");
  article.dataset.kind = kind;
  article.querySelector(".ak-work").remove();
  article.querySelector(".ak-over").textContent = title;
}

/** Go to the answer, unless the reader has gone on to something else meanwhile. */
function arrive(article, question, before) {
  const now = document.activeElement;
  const typing = now?.matches?.("textarea, input") && (now.closest("#question") ? written() !== question : now.value);
  if (!typing && (now === before || now === document.body || !now?.isConnected)) {
    article.querySelector("h2").focus({ preventScroll: true });
    intoView(article);
  }
}

function intoView(article) {
  const { top } = article.getBoundingClientRect();
  if (top < 0 || top > innerHeight * 0.55) article.scrollIntoView({ block: "start", behavior: moves() ? "smooth" : "auto" });
}

/** The last answer goes to the ones before it, folded. */
function foldLast() {
  const last = document.getElementById("answer");
  if (!last) return;
  last.querySelector(".ak-feedback")?.dispatchEvent(new Event("ak-leave"));
  if (!answers.has(last)) return last.remove();
  last.querySelectorAll("[id]:not(svg *)").forEach((one) => one.removeAttribute("id"));
  last.removeAttribute("id");
  last.querySelectorAll(".ak-follow, .ak-feedback, .ak-confirmed").forEach((one) => one.remove());
  const question = last.querySelector("h2").textContent;
  const item = make("details", { class: "ak-earlier-one" }, make("summary", {}, question), last);
  last.querySelector(".ak-turn-head").hidden = true;
  earlier().append(make("li", {}, item));
  const answer = answers.get(last);
  answers.set(item, answer);
}

function earlier() {
  const found = document.getElementById("earlier");
  if (found) return found.querySelector("ol");
  const list = make("ol", { class: "ak-earlier-list" });
  conversation.prepend(make("details", { class: "ak-earlier", id: "earlier" }, make("summary", {}, say("earlier")), list));
  return list;
}

/** After a stop there is nothing new to show: the examples come back where nothing was asked before. */
function foldBack() {
  if (!document.getElementById("earlier")) document.getElementById("examples")?.removeAttribute("hidden");
}

/** Another language asks the same question again. */
function keepLanguageLinks(question) {
  document.querySelectorAll("[data-lang]").forEach((link) => {
    const address = new URL(link.href);
    address.searchParams.set("q", question);
    link.href = address.pathname + address.search;
  });
}

listenToField(put);
listenToMarks(conversation, (mark) => answers.get(mark.closest(".ak-turn")).views[Number(mark.dataset.view)]);
document.addEventListener("click", (event) => {
  const asking = event.target.closest?.("[data-ask]");
  if (asking) put(asking.dataset.ask);
  const language = event.target.closest?.("[data-lang]");
  if (language) document.cookie = `ankare_lang=${language.dataset.lang}; path=/; max-age=31536000; samesite=lax`;
});
const asked = new URLSearchParams(location.search).get("q");
if (asked?.trim() && mayBeAsked(asked)) put(asked);
