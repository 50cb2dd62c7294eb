// What is being read into the index, and what came of the readings before?

import { call, number, when } from "./library_calls.js";
import { outcome, showOutcomes } from "./library_uploads.js";
import { announce, make, say, start } from "./page_dom.js";

/**
 * @typedef {{id: string, state: string, stage: string, requested: string, ended: string, done: number, total: number,
 *   current: string, report: ?{files: object[], documents: number}, error: string}} Job
 */

const SOON = 700;
const LATER = 15000;
const STATES = { queued: "queued", running: "running", finished: "finished", failed: "failed_job", interrupted: "interrupted" };
const list = document.getElementById("jobs");
const none = document.getElementById("no-jobs");
const shown = new Map();
let timer = 0;
let onChange = () => {};

/** Follow the jobs. @param {() => void} changed what to do when one is over */
export function followJobs(changed) {
  onChange = changed;
  for (const [id, everything] of [["read-again", false], ["read-all", true]]) {
    document.getElementById(id).addEventListener("click", async () => {
      try {
        await call("POST", "jobs", { everything });
        announce(say("job_begun"));
        look();
      } catch (trouble) {
        announce(trouble.message);
      }
    });
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
  look();
}

/** Look at once, and then again and again: soon while something is under way. */
export async function look() {
  clearTimeout(timer);
  let pause = LATER;
  try {
    const { jobs } = await call("GET", `jobs?lang=${start.language}`);
    show(jobs);
    showOutcomes(jobs);
    if (jobs.some((job) => job.state === "queued" || job.state === "running")) pause = SOON;
  } catch (trouble) {
    if (trouble.status === 401) return announce(trouble.message);
  }
  clearTimeout(timer);
  timer = setTimeout(() => { if (!document.hidden) look(); }, pause);
}

/** @param {Job[]} jobs */
function show(jobs) {
  none.hidden = jobs.length > 0;
  let over = false;
  const rows = jobs.map((job) => {
    const told = JSON.stringify(job);
    const before = shown.get(job.id);
    if (before?.told === told) return before.row;
    if (before && before.active && !active(job)) over = true;
    const row = drawn(job, before?.row.querySelector("details")?.open);
    shown.set(job.id, { told, row, active: active(job) });
    return row;
  });
  if (rows.length !== list.children.length || rows.some((row, at) => list.children[at] !== row)) list.replaceChildren(...rows);
  if (over) onChange();
}

const active = (job) => job.state === "queued" || job.state === "running";

/** @param {Job} job @param {boolean} [open] */
function drawn(job, open) {
  const head = make("p", { class: "lib-job-head" }, make("strong", {}, say(STATES[job.state])), ` ${when(job.ended || job.requested)}`);
  const row = make("li", { class: "lib-job", "data-state": job.state }, head);
  if (job.state === "running") row.append(...progress(job));
  if (job.error) row.append(make("p", { class: "ak-problem", lang: "en" }, job.error));
  if (job.report) row.append(make("p", {}, summary(job.report)));
  const told = job.report?.files ?? [];
  if (told.length) {
    const items = told.map((file) => make("li", { "data-state": file.status }, make("p", {}, make("strong", {}, file.source), ` ${say(file.status)}`), ...outcome(file)));
    const more = job.report.more ? [make("p", {}, make("a", { href: `/api/admin/jobs/${job.id}?lang=${start.language}` }, say("all_files")))] : [];
    row.append(make("details", { open: open ?? false }, make("summary", {}, say("details")), make("ul", { class: "lib-files" }, ...items), ...more));
  }
  return row;
}

/** @param {Job} job */
function progress(job) {
  const words = [say(`stage_${job.stage}`)];
  if (job.stage === "reading" && job.total) words.push(say("progress", { done: number(job.done), total: number(job.total) }), job.current);
  const text = words.filter(Boolean).join(": ");
  const given = job.total ? { max: job.total, value: job.done } : {};
  return [make("progress", { ...given, "aria-label": say("running") }), make("p", {}, text)];
}

function summary(report) {
  const counts = new Map();
  for (const file of report.files) counts.set(file.status, (counts.get(file.status) ?? 0) + 1);
  const words = [...counts].map(([status, count]) => `${say(status)}: ${number(count)}`);
  if (report.more) words.length = 0;
  return say("summary", { counts: words.join(", ") || say(report.more ? "much_done" : "nothing_done"), documents: number(report.documents) });
}
