import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs in a thread of its own, so that work of the test does not look like a stall of the product: requests a URL repeatedly
 * and measures the slowest answer since the last `reset`, an outstanding one included, and the number of failures.
 * Time that the requested process and this thread waited for a processor is not counted: load of others on the machine is
 * not the product's doing. A process that computes for too long does not wait.
 */
export interface PulseInput {
  url: string;
  /** Of the process that answers. */
  pid: number;
  token?: string;
}

export interface Beats {
  slowest: number;
  failures: string[];
}

const INTERVAL_MS = 20;
const { url, pid, token } = workerData as PulseInput;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let slowest = 0;
let failures: string[] = [];
let startedAt = 0;
let starvedAt = 0;

/** Milliseconds that a thread was runnable without a processor, since its start; 0 if the kernel does not report it. */
function starved(thread: string): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
const starvedNow = () => starved(`${pid}`) + starved('thread-self');
const waited = () => Math.max(0, performance.now() - startedAt - (starvedNow() - starvedAt));
function begin(): void {
  starvedAt = starvedNow();
  startedAt = performance.now();
}

function beat(): void {
  begin();
  const headers = token ? { authorization: token } : {};
  const done = (failure?: string): void => {
    if (!startedAt) return;
    slowest = Math.max(slowest, waited());
    if (failure) failures.push(failure);
    startedAt = 0;
    setTimeout(beat, INTERVAL_MS);
  };
  get(url, { agent, headers }, (response) => {
    response.resume();
    const { statusCode } = response;
    response.once('end', () => done(statusCode === 200 ? undefined : `${statusCode}`));
    response.once('error', (error) => done(error.message));
  }).once('error', (error) => done(error.message));
}

parentPort!.on('message', (command: 'reset' | 'read') => {
  if (command === 'read') {
    const current = startedAt ? waited() : 0;
    parentPort!.postMessage({ slowest: Math.max(slowest, current), failures } satisfies Beats);
    return;
  }
  slowest = 0;
  failures = [];
  if (startedAt) begin();
});
beat();
