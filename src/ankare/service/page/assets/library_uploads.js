// What happens to each file that is chosen or dropped, from the reader's disk to the index?

import { call, number, send } from "./library_calls.js";
import { askForReaders, chosenLabel, readersOf } from "./library_readers.js";
import { announce, make, say, start } from "./page_dom.js";

const AT_ONCE = 2;
/** The remark that this page has words of its own for. */
const TOLD = "pages_without_text";
const list = document.getElementById("uploads");
/** Whose detail, in English, tells more than the page's own words. */
const MORE_TO_TELL = [400, 422, 500];
/** @type {Upload[]} */
const waiting = [];
/** Uploads that the service has, and the job that reads each. @type {Map<Upload, string>} */
const received = new Map();
/** Uploads whose name the library has. @type {Set<Upload>} */
const taken = new Set();
let sending = 0;
let onReceived = () => {};

/** Take in what the reader chooses or drops. @param {() => void} received what to do when the service has a file */
export function takeUploads(received) {
  onReceived = received;
  const input = document.getElementById("files");
  const zone = document.getElementById("drop");
  input.addEventListener("change", () => {
    add(input.files);
    input.value = "";
  });
  for (const name of ["dragenter", "dragover"]) {
    zone.addEventListener(name, (event) => {
      event.preventDefault();
      zone.classList.add("lib-over");
    });
  }
  zone.addEventListener("dragleave", (event) => {
    if (!zone.contains(event.relatedTarget)) zone.classList.remove("lib-over");
  });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("lib-over");
    add(event.dataTransfer.files);
  });
  // A file that misses the zone must not take the page's place.
  for (const name of ["dragover", "drop"]) window.addEventListener(name, (event) => event.preventDefault());
}

/** Show what jobs did with the files of this visit. @param {import("./library_jobs.js").Job[]} jobs */
export function showOutcomes(jobs) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  for (const [upload, id] of received) {
    const job = byId.get(id);
    if (!job) continue;
    if (job.state === "running") upload.tell("reading");
    if (job.state === "queued" || job.state === "running") continue;
    received.delete(upload);
    whole(job).then((told) => upload.end(told));
  }
}

/** Put away what can no longer be replaced, because it has been removed. @param {string[]} names of the library's files */
export function forgetTaken(names) {
  const held = new Set(names.map(folded));
  for (const upload of taken) {
    if (held.has(folded(upload.file.name))) continue;
    taken.delete(upload);
    upload.row.remove();
  }
  list.parentElement.hidden = !list.children.length;
}

const folded = (name) => name.normalize("NFC").toLowerCase();

/** Jobs that are being asked for in full. @type {Map<string, Promise<import("./library_jobs.js").Job>>} */
const wholes = new Map();

/** The job with all its files: the list of jobs leaves some out where there are many. */
function whole(job) {
  if (!job.report?.more) return Promise.resolve(job);
  if (!wholes.has(job.id)) wholes.set(job.id, call("GET", `jobs/${job.id}?lang=${start.language}`).catch(() => job));
  return wholes.get(job.id);
}

/** @param {Iterable<File>} files */
function add(files) {
  const label = chosenLabel();
  if (label === null) return askForReaders();
  const added = [...files].map((file) => new Upload(file, label));
  if (!added.length) return;
  list.parentElement.hidden = false;
  list.prepend(...added.map((upload) => upload.row));
  waiting.push(...added);
  next();
}

function next() {
  while (sending < AT_ONCE && waiting.length) {
    sending += 1;
    waiting.shift().go().finally(() => {
      sending -= 1;
      next();
    });
  }
}

class Upload {
  /** @param {File} file @param {string} label */
  constructor(file, label) {
    this.file = file;
    this.label = label;
    this.replace = false;
    this.bar = make("progress", { max: 1, value: 0, "aria-label": file.name });
    this.told = make("p", { class: "lib-told" });
    this.readers = make("p", { class: "lib-hint" }, readersOf(label));
    this.notes = make("div", { class: "lib-notes" });
    this.row = make("li", { class: "lib-upload" }, make("p", { class: "lib-name" }, file.name), this.readers, this.bar, this.told, this.notes);
    this.tell("waiting");
  }

  /** @param {string} key @param {Record<string, unknown>} [values] */
  tell(key, values) {
    const text = say(key, values);
    if (this.told.textContent !== text) this.told.textContent = text;
    this.row.dataset.state = key;
  }

  async go() {
    this.notes.replaceChildren();
    this.bar.hidden = false;
    try {
      const told = await send(this.file, { label: this.label, replace: this.replace }, (share) => {
        this.bar.value = share;
        this.tell("sending", { percent: number(Math.round(share * 100)) });
      });
      this.name = told.file.name;
      this.readers.textContent = readersOf(told.file.label);
      this.bar.hidden = true;
      this.tell("sent");
      received.set(this, told.job.id);
      onReceived();
    } catch (trouble) {
      this.fail(trouble);
    }
  }

  fail(trouble) {
    this.bar.hidden = true;
    const words = inWords(trouble, this.file.name);
    this.told.textContent = words;
    this.row.dataset.state = "failed";
    announce(`${this.file.name}: ${words}`);
    if (trouble.detail && MORE_TO_TELL.includes(trouble.status)) this.notes.append(make("p", { lang: "en" }, trouble.detail));
    const again = { 409: "replace", 0: "send_again", 408: "send_again", 429: "send_again", 503: "send_again" }[trouble.status];
    if (again) this.offer(again);
    if (again === "replace") this.tellOfTaken();
  }

  /** A button that sends the file once more. @param {"replace" | "send_again"} again */
  offer(again) {
    const words = say(again);
    const named = say("of_file", { action: words, name: this.file.name });
    const press = () => {
      taken.delete(this);
      this.replace = again === "replace";
      this.row.tabIndex = -1;
      this.row.focus();
      waiting.push(this);
      this.tell("waiting");
      this.notes.replaceChildren();
      next();
    };
    this.notes.append(make("button", { type: "button", class: "ak-plain", "aria-label": named, click: press }, words));
  }

  /** Who may read the file that would be replaced: its readers may be others. */
  async tellOfTaken() {
    taken.add(this);
    const { files } = await call("GET", "files").catch(() => ({ files: [] }));
    const there = files.find((file) => folded(file.name) === folded(this.file.name));
    if (there && taken.has(this)) this.notes.prepend(make("p", {}, say("taken_readers", { readers: readersOf(there.label) })));
  }

  /** The job that was to read the file is over. @param {import("./library_jobs.js").Job} job */
  end(job) {
    const found = job.report?.files.find((row) => row.source === this.name || row.source.endsWith(`/${this.name}`));
    if (found) {
      this.tell(found.status);
      this.notes.replaceChildren(...outcome(found));
    } else {
      this.tell(job.state === "finished" ? "unchanged" : job.state === "failed" ? "failed" : "interrupted_file");
      if (job.error) this.notes.replaceChildren(make("p", { lang: "en" }, job.error));
    }
    announce(`${this.file.name}: ${this.told.textContent}`);
  }
}

/** What went wrong, in the reader's language. @param {import("./library_calls.js").Trouble} trouble @param {string} name */
function inWords(trouble, name) {
  if (trouble.status === 413) return say("too_large", { size: start.size });
  if (trouble.status !== 415) return trouble.message;
  const type = /[^.](\.[^.]+)$/.exec(name)?.[1].toLowerCase() ?? "";
  if (start.types.includes(type)) return say("content_other", { type });
  if (start.saved_as[type]) return say("type_save_as", { type, better: start.saved_as[type] });
  return say(type ? "type_unknown" : "type_none", { type, types: start.types.join(" ") });
}

/** What a job did with a file, in words: what came of it, and what its owner should know. */
export function outcome(row) {
  const parts = [];
  if (row.pages > 1) parts.push(say("pages", { count: number(row.pages) }));
  if (row.chunks) parts.push(say("chunks", { count: number(row.chunks) }));
  if (row.facts) parts.push(say("facts", { count: number(row.facts) }));
  if (row.access) parts.push(say("for_label", { label: row.access }));
  const told = parts.length ? [make("p", {}, parts.join(", "))] : [];
  if (row.pages_without_text.length) {
    told.push(make("p", {}, say("image_pages", { pages: row.pages_without_text.map(number).join(", ") })));
  }
  for (const remark of row.remarks) if (remark.code !== TOLD) told.push(...inFull(remark));
  return told;
}

/** A remark, and the faults of single rows below it. @param {{text: string, language: string, rows: string[]}} remark */
function inFull({ text, language, rows }) {
  const told = [make("p", { lang: language, class: "lib-message" }, text)];
  if (rows.length) told.push(make("ul", { lang: language, class: "lib-faults" }, ...rows.map((row) => make("li", {}, row))));
  return told;
}

