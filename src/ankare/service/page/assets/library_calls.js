// How does the library page speak to the service, and how does it say what went wrong?

import { say, start } from "./page_dom.js";

const PLACE = "/api/admin/";

/** A problem in words. `detail` is the service's own sentence, in English. */
export class Trouble extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail = "") {
    super(status ? say(`error_${status}`) || say("error_other") : say("offline"));
    this.status = status;
    this.detail = detail;
  }
}

/** Call the service; gives its JSON. Throws Trouble. @param {string} method @param {string} path @param {unknown} [body] */
export async function call(method, path, body) {
  const given = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    given.body = JSON.stringify(body);
    given.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(PLACE + path, given);
  } catch {
    throw new Trouble(0);
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Trouble(answer.status, told.detail);
  return told;
}

/**
 * Send a file, and tell how much of it has gone out. Throws Trouble.
 * @param {File} file @param {{label: string, replace: boolean}} given @param {(share: number) => void} onProgress
 */
export function send(file, given, onProgress) {
  const query = new URLSearchParams({ replace: String(given.replace), label: given.label });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `${PLACE}files/${encodeURIComponent(file.name)}?${query}`);
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => onProgress(event.total ? event.loaded / event.total : 0));
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response);
      else reject(new Trouble(request.status, request.response?.detail));
    });
    for (const name of ["error", "abort", "timeout"]) request.addEventListener(name, () => reject(new Trouble(0)));
    request.send(file);
  });
}

/** A time as the reader writes it, "" for none. @param {string} iso */
export function when(iso) {
  return iso ? new Date(iso).toLocaleString(start.language, { dateStyle: "short", timeStyle: "short" }) : "";
}

/** A number as the reader writes it. @param {number} value */
export const number = (value) => value.toLocaleString(start.language);

/** Bytes in a unit that can be read. @param {number} bytes */
export function size(bytes) {
  const [unit, part] = bytes >= 1e6 ? ["megabyte", 1e6] : bytes >= 1e3 ? ["kilobyte", 1e3] : ["byte", 1];
  return (bytes / part).toLocaleString(start.language, { style: "unit", unit, maximumFractionDigits: 1 });
}
