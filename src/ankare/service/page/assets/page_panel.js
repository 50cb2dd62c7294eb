// What does a mark in an answer show, and where? The page with the sentence marked: beside the answer, or in a sheet over it.

import { fromService, icon, make, moves, say, wide } from "./page_dom.js";

const ZOOMS = [1, 1.4, 1.8, 2.4];
const ICONS = { close: "M5 5l14 14M19 5L5 19", previous: "M15 4l-8 8 8 8", next: "M9 4l8 8-8 8", larger: "M12 5v14M5 12h14", smaller: "M5 12h14" };
/** How far down in the window a mark comes to stand. */
const PLACE = 0.28;
/** So far from its edge a marked cell of a wide table stands at least, in pixels. */
const EDGE = 48;

const panel = document.getElementById("panel");
const sheet = document.getElementById("sheet");
/** @type {HTMLElement | null} the mark that was used last */
let trigger = null;
let shown = null;

/** Is a source shown? */
export const isOpen = () => shown !== null;

/**
 * Show a view. @param {Record<string, any>} view as the service tells it @param {HTMLElement | null} from the mark
 * @param {{focus?: boolean}} [how] focus: go there, as a click asks for
 */
export function open(view, from, { focus = false } = {}) {
  if (!wide.matches && !focus) return;
  point(from);
  const holder = wide.matches ? panel : sheet;
  if (shown !== view || !holder.firstChild) {
    shown = view;
    holder.replaceChildren(...parts(view));
  }
  document.getElementById("layout").classList.toggle("ak-beside", wide.matches);
  panel.hidden = !wide.matches;
  panel.classList.toggle("ak-of-page", view.kind === "page");
  fit();
  if (!wide.matches && !sheet.open) sheet.showModal();
  if (focus) holder.querySelector(".ak-panel-title").focus({ preventScroll: wide.matches });
}

/** Put the source away. @param {{back?: boolean}} [how] back: the focus returns to the mark */
export function close({ back = false } = {}) {
  if (sheet.open) sheet.close();
  panel.hidden = true;
  panel.replaceChildren();
  document.getElementById("layout").classList.remove("ak-beside");
  shown = null;
  resting = { ...pointer, mark: markOf({ target: document.elementFromPoint(pointer.x, pointer.y) }) };
  const last = trigger;
  point(null);
  if (back && last?.isConnected) {
    quiet = true;
    last.focus();
    quiet = false;
  }
}

let quiet = false;
/** Where the pointer was last. */
let pointer = { x: -1, y: -1 };
/** Where it stood when a source was put away, and on which mark: until it has left that, nothing is shown by pointing. */
let resting = null;
const markOf = (event) => event.target?.closest?.("[data-view]") ?? null;

/** Is this the pointer lying still while the page moves under it, or on the mark where it stood when a source was put away? */
function rests(event) {
  if (!resting) return false;
  const still = event.clientX === resting.x && event.clientY === resting.y;
  if (!still && markOf(event) !== resting.mark) resting = null;
  return resting !== null;
}

/** The panel is as high as what is left of the window below its top. */
function fit() {
  if (panel.hidden) return;
  const room = innerHeight - Math.max(16, panel.getBoundingClientRect().top) - 16;
  panel.style.setProperty("--room", `${Math.round(room)}px`);
}

/** Let marks inside `area` show their views. @param {HTMLElement} area @param {(mark: HTMLElement) => any} viewOf */
export function listen(area, viewOf) {
  let waiting = 0;
  area.addEventListener("click", (event) => {
    const mark = markOf(event);
    if (mark) open(viewOf(mark), mark, { focus: true });
  });
  area.addEventListener("pointerover", (event) => {
    const mark = markOf(event);
    clearTimeout(waiting);
    if (mark && event.pointerType === "mouse" && !rests(event)) waiting = setTimeout(() => open(viewOf(mark), mark), 160);
  });
  area.addEventListener("pointerout", () => clearTimeout(waiting));
  document.addEventListener("pointermove", (event) => {
    rests(event);
    pointer = { x: event.clientX, y: event.clientY };
  }, { passive: true });
  area.addEventListener("focusin", (event) => {
    const mark = markOf(event);
    if (mark && !quiet && mark.matches(":focus-visible")) open(viewOf(mark), mark);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden || event.defaultPrevented) return;
    const near = panel.contains(document.activeElement) || document.activeElement === trigger;
    close({ back: near });
  });
  sheet.addEventListener("cancel", (event) => { event.preventDefault(); close({ back: true }); });
  sheet.addEventListener("click", (event) => { if (event.target === sheet) close({ back: true }); });
  wide.addEventListener("change", () => close());
  for (const change of ["scroll", "resize"]) addEventListener(change, fit, { passive: true });
}

function point(mark) {
  document.querySelectorAll('[data-view][aria-expanded="true"]').forEach((one) => one.setAttribute("aria-expanded", "false"));
  trigger = mark;
  mark?.setAttribute("aria-expanded", "true");
}

function parts(view) {
  const away = make("button", { type: "button", class: "ak-round", "aria-label": say("panel_close"), click: () => close({ back: true }) }, icon(ICONS.close));
  const title = make("h2", { class: "ak-panel-title", tabindex: "-1" }, make("span", { class: "ak-number-of" }, String(view.number)), view.title);
  const head = make("div", { class: "ak-panel-head" }, title, away);
  const place = [view.place, view.section].filter(Boolean).join(" · ");
  const told = place ? [make("p", { class: "ak-panel-place" }, place)] : [];
  const body = view.kind === "page" ? page(view) : [passage(view)];
  const link = view.href ? [make("p", { class: "ak-panel-foot" }, opener(view.href))] : [];
  return [head, ...told, ...body, ...link];
}

function opener(href) {
  return make("a", { href, target: "_blank", rel: "noopener" }, say("open_source"), make("span", { class: "ak-hidden" }, ` (${say("new_window")})`));
}

/** A text or a table with what is cited marked. */
function passage(view) {
  const text = make("div", { class: "ak-panel-text", tabindex: "0", role: "group", "aria-label": view.label }, fromService(view.html));
  requestAnimationFrame(() => text.querySelectorAll(".ak-excerpt").forEach(intoView));
  return text;
}

/** Scroll a wide table sideways, and nothing else, until its first marked cell shows. @param {Element} table */
function intoView(table) {
  const mark = table.querySelector("mark");
  if (!mark) return;
  const beyond = mark.getBoundingClientRect().right - table.getBoundingClientRect().left - table.clientWidth;
  if (beyond > -EDGE) table.scrollLeft += beyond + EDGE;
}

/** The bar and the picture of a page. */
function page(view) {
  let [number, zoom] = [view.page, 0];
  const picture = make("img", { decoding: "async" });
  const frame = make("div", { class: "ak-frame", tabindex: "0", role: "group", "aria-label": view.label }, picture);
  const where = make("span", { class: "ak-where", role: "status" });
  const button = (name, drawing, act) => make("button", { type: "button", class: "ak-round", "aria-label": say(name), title: say(name), click: act }, icon(drawing));
  const before = button("previous_page", ICONS.previous, () => turn(number - 1));
  const after = button("next_page", ICONS.next, () => turn(number + 1));
  const smaller = button("zoom_out", ICONS.smaller, () => size(zoom - 1));
  const larger = button("zoom_in", ICONS.larger, () => size(zoom + 1));
  const back = make("button", { type: "button", class: "ak-plain", click: () => turn(view.page) }, say("to_cited"));

  const toMark = () => {
    const top = number === view.page ? view.y * picture.clientHeight - PLACE * frame.clientHeight : 0;
    frame.scrollTo({ top: Math.max(0, top), left: 0, behavior: "auto" });
  };
  const turn = (to) => {
    number = Math.min(view.pages, Math.max(1, to));
    frame.querySelector(".ak-problem")?.remove();
    frame.classList.add("ak-waiting");
    picture.alt = number === view.page ? say("picture_alt", { label: view.label }) : say("page_of", { page: number, pages: view.pages });
    picture.src = `${view.pictures}${number}.png?claim=${view.claim}`;
    where.textContent = say("page_of", { page: number, pages: view.pages });
    // A button with the focus stays reachable: it is told to be off, not taken away.
    before.setAttribute("aria-disabled", String(number <= 1));
    after.setAttribute("aria-disabled", String(number >= view.pages));
    back.hidden = number === view.page;
  };
  const size = (to) => {
    const middle = (frame.scrollTop + frame.clientHeight / 2) / Math.max(1, picture.clientHeight);
    zoom = Math.min(ZOOMS.length - 1, Math.max(0, to));
    picture.style.width = `${ZOOMS[zoom] * 100}%`;
    smaller.setAttribute("aria-disabled", String(zoom === 0));
    larger.setAttribute("aria-disabled", String(zoom === ZOOMS.length - 1));
    frame.scrollTop = middle * picture.clientHeight - frame.clientHeight / 2;
  };
  picture.addEventListener("load", () => { frame.classList.remove("ak-waiting"); toMark(); });
  picture.addEventListener("error", () => {
    frame.classList.remove("ak-waiting");
    frame.append(make("p", { class: "ak-problem" }, say("picture_failed")));
  });
  turn(view.page);
  size(0);
  if (moves()) frame.classList.add("ak-fades");
  const pages = make("div", { class: "ak-bar-group" }, before, where, after);
  const zooms = make("div", { class: "ak-bar-group" }, back, smaller, larger);
  return [make("div", { class: "ak-panel-bar" }, pages, zooms), frame];
}
