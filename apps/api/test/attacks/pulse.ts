import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs in a thread of its own, so that work of the test does not look like a stall of the product: asks an address again and
 * again and tells how long the slowest answer since the last `reset` took, an outstanding one included, and how many failed.
 */
export interface PulseInput {
  url: string;
  token?: string;
}

export interface Beats {
  slowest: number;
  failures: string[];
}

const INTERVAL_MS = 20;
const { url, token } = workerData as PulseInput;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let slowest = 0;
let failures: string[] = [];
let startedAt = 0;

function beat(): void {
  startedAt = performance.now();
  const headers = token ? { authorization: token } : {};
  const done = (failure?: string): void => {
    if (!startedAt) return;
    slowest = Math.max(slowest, performance.now() - startedAt);
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
    const current = startedAt ? performance.now() - startedAt : 0;
    parentPort!.postMessage({ slowest: Math.max(slowest, current), failures } satisfies Beats);
    return;
  }
  slowest = 0;
  failures = [];
  if (startedAt) startedAt = performance.now();
});
beat();
