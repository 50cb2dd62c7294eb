// How is the service used? Nothing is asked for before somebody opens the panel.

import { Trouble } from "./library_calls.js";
import { announce, fromService, make, say, start } from "./page_dom.js";

const form = document.getElementById("use-period");
const shown = document.getElementById("use-shown");
const problem = document.getElementById("use-problem");
let asked = 0;

/** Load the panel when it is opened for the first time, and whenever its form is sent. */
export function followUsage() {
  const panel = document.getElementById("use-open");
  panel.addEventListener("toggle", () => { if (panel.open && !asked) load(); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    load();
  });
}

async function load() {
  const mine = ++asked;
  const chosen = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
  problem.hidden = true;
  shown.setAttribute("aria-busy", "true");
  if (!shown.childElementCount) shown.replaceChildren(make("p", { class: "lib-hint" }, say("usage_loading")));
  announce(say("usage_loading"));
  try {
    const html = await written(chosen);
    if (mine !== asked) return; // a later question is on its way
    shown.replaceChildren(fromService(html));
    document.getElementById("use-json").href = `/api/admin/usage?${new URLSearchParams(chosen)}`;
    announce(say("usage_shown"));
  } catch (trouble) {
    if (mine !== asked) return;
    shown.replaceChildren();
    problem.textContent = trouble.status === 400 ? say("usage_bad_period") : trouble.message;
    problem.hidden = false;
  }
  shown.removeAttribute("aria-busy");
}

/** What the service writes of a period, in the reader's own time zone where the service knows it. Throws Trouble. */
async function written(chosen) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const first = await fetched({ ...chosen, time_zone: zone });
  const answer = first.status === 400 ? await fetched(chosen) : first;
  if (!answer.ok) throw new Trouble(answer.status);
  return answer.text();
}

async function fetched(values) {
  try {
    return await fetch(`/library/usage?${new URLSearchParams({ ...values, lang: start.language })}`);
  } catch {
    throw new Trouble(0);
  }
}
