// How does a question reach the service, and how do its steps, its answer or a problem come back?

import { flags, say, start } from "./page_dom.js";

const PATIENCE_SECONDS = 20;

/** Something that stands in place of an answer, in words. */
export class Problem extends Error {
  /** @param {string} words @param {{status?: number, retryAfter?: number}} [told] */
  constructor(words, { status = 0, retryAfter = 0 } = {}) {
    super(words);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Will it pass by itself? */
  get passes() {
    return this.status === 429 || (this.status === 503 && this.retryAfter > 0);
  }
}

/**
 * Ask, and ask once more where the service is busy.
 * @param {string} question
 * @param {{signal: AbortSignal, onStep: (name: string, words: string) => void, onWait: (seconds: number) => void}} told
 * @returns {Promise<Record<string, any>>} the answer as the service builds it. Throws Problem, and AbortError once stopped.
 */
export async function ask(question, told) {
  try {
    return await askOnce(question, told);
  } catch (problem) {
    if (!(problem instanceof Problem) || !problem.passes || problem.retryAfter > PATIENCE_SECONDS) throw problem;
    const seconds = Math.max(1, Math.ceil(problem.retryAfter));
    told.onWait(seconds);
    await pause(seconds * 1000, told.signal);
    return askOnce(question, told);
  }
}

async function askOnce(question, { signal, onStep }) {
  const address = flags();
  address.set("lang", start.language);
  const response = await reached(`/page/ask?${address}`, { question }, signal, "text/event-stream");
  for await (const [name, data] of events(response, signal)) {
    if (name === "step") onStep(data.step, data.text);
    if (name === "answer") return data;
    if (name === "problem") throw new Problem(data.detail, { status: data.status, retryAfter: data.retry_after ?? 0 });
  }
  throw new Problem(say("failed"));
}

/**
 * Send JSON, and get the response if it is a good one.
 * @param {string} address @param {object} body @param {AbortSignal} [signal] @param {string} [accept]
 */
export async function reached(address, body, signal, accept = "application/json") {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(say("offline"));
  }
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  throw new Problem(say(wordsFor(response.status)), { status: response.status, retryAfter });
}

function wordsFor(status) {
  return { 401: "unauthorized", 403: "forbidden", 413: "too_long", 429: "busy", 503: "busy" }[status] ?? "failed";
}

/** The events of a stream: name and data. */
async function* events(response, signal) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  try {
    while (true) {
      const { value, done } = await reader.read();
      if (done) return;
      held += value;
      const whole = held.split("\n\n");
      held = whole.pop();
      for (const one of whole) {
        const found = /^event: (\w+)\ndata: (.*)$/s.exec(one);
        if (found) yield [found[1], JSON.parse(found[2])];
      }
    }
  } catch (error) {
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
    throw new Problem(say("offline"));
  } finally {
    reader.cancel().catch(() => {});
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
    });
  });
}
