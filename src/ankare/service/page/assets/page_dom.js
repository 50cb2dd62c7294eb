// What do the page's modules share: its texts, elements made without markup, and a voice for screen readers?

/**
 * @typedef {{language: string, limit: number, texts: Record<string, string>}} Start
 * What the service wrote into the document for this visit.
 */

/** @type {Start} */
export const start = JSON.parse(document.getElementById("start").textContent);

/** A text of the catalogue, its {placeholders} filled. @param {string} key @param {Record<string, unknown>} [values] */
export function say(key, values = {}) {
  return (start.texts[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/**
 * An element. Texts become text, never markup; a function becomes a listener.
 * @param {string} tag @param {Record<string, unknown>} [given] @param {...(Node|string)} children
 */
export function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Markup that the service wrote around escaped text. Scripts in it would not run: the policy and the parser see to that. */
export function fromService(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** An icon of 24 units, drawn with lines. @param {string} path */
export function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const drawn = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", class: "ak-icon", "aria-hidden": "true", focusable: "false" })) {
    drawn.setAttribute(name, value);
  }
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  drawn.append(line);
  return drawn;
}

/** Tell a screen reader something, politely; the same words twice are told twice. @param {string} words */
export function announce(words) {
  const status = document.getElementById("status");
  status.textContent = "";
  setTimeout(() => { status.textContent = words; }, 60);
}

/** Is there room for the source beside the answer? */
export const wide = matchMedia("(min-width: 68rem)");

/** Does the reader want things to move? */
export const moves = () => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Flags of the address that every question of this visit keeps. */
export function flags() {
  const address = new URLSearchParams(location.search);
  const kept = new URLSearchParams();
  for (const name of ["enable_agentic_rag", "enable_synthesis", "debug", "debug_mode", "reference_date"]) {
    if (address.has(name)) kept.set(name, address.get(name));
  }
  return kept;
}
