// Who may read the files that are added next? Nothing can be added before that is chosen.

import { call } from "./library_calls.js";
import { announce, make, say } from "./page_dom.js";

const everyone = document.getElementById("for-everyone");
const labelled = document.getElementById("for-label");
const field = document.getElementById("label");
const zone = document.getElementById("drop");
const input = document.getElementById("files");
const why = document.getElementById("drop-why");

/** The label that files get, "" for everyone, null as long as nothing is chosen. @returns {string | null} */
export function chosenLabel() {
  if (everyone.checked) return "";
  return (labelled.checked && field.value.trim()) || null;
}

/** Who may read what has a label. @param {string} label */
export const readersOf = (label) => (label ? say("read_by_label", { label }) : say("for_everyone"));

/** Tell why nothing can be added yet, and go to where it is chosen. */
export function askForReaders() {
  announce(why.textContent);
  (labelled.checked ? field : everyone).focus();
}

/** Follow what is chosen. */
export function followReaders() {
  for (const one of [everyone, labelled]) one.addEventListener("change", show);
  field.addEventListener("input", () => { labelled.checked = true; show(); });
  field.addEventListener("focus", offerLabels, { once: true });
  labelled.addEventListener("change", () => field.focus());
  zone.addEventListener("click", () => { if (input.disabled) askForReaders(); });
  show();
}

function show() {
  const ready = chosenLabel() !== null;
  input.disabled = !ready;
  zone.classList.toggle("lib-off", !ready);
  why.hidden = ready;
  why.textContent = say(labelled.checked ? "label_first" : "readers_first");
}

/** The labels that something is held under. */
async function offerLabels() {
  try {
    const [held, uploaded, figures] = await Promise.all(["documents?sort=label&descending=true&limit=500", "files", "facts"].map((path) => call("GET", path)));
    const labels = [...held.documents, ...uploaded.files, ...figures.files].map((one) => one.label).filter(Boolean);
    document.getElementById("labels").replaceChildren(...[...new Set(labels)].sort().map((value) => make("option", { value })));
  } catch {
    // Any label can be written without them.
  }
}
