import { bind } from '@heliograph/smpp';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { Credentials } from '../peers/smpp-client.ts';

/**
 * Runs in a thread of its own, so that work of the test does not look like a stall of the product: asks repeatedly, by HTTP or
 * SMPP, and measures the slowest answer since the last `reset`, an outstanding one included, and the number of failures.
 * Time that the requested process and this thread waited for a processor is not counted: load of others on the machine is
 * not the product's doing. A process that computes for too long does not wait.
 */
export type PulseInput = {
  /** Of the process that answers. */
  pid: number;
} & (HttpPulse | SmppPulse);

interface HttpPulse {
  url: string;
  token?: string;
}

interface SmppPulse {
  port: number;
  credentials: Credentials;
  /** Of the message that it asks about; without one it asks whether the link is up. */
  messageId?: string;
}

export interface Beats {
  slowest: number;
  failures: string[];
}

const INTERVAL_MS = 20;
const input = workerData as PulseInput;
const { pid } = input;
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

type Ask = (done: (failure?: string) => void) => void;

function byHttp({ url, token }: HttpPulse): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = token ? { authorization: token } : {};
  return (done) => {
    get(url, { agent, headers }, (response) => {
      response.resume();
      const { statusCode } = response;
      response.once('end', () => done(statusCode === 200 ? undefined : `${statusCode}`));
      response.once('error', (error) => done(error.message));
    }).once('error', (error) => done(error.message));
  };
}

async function bySmpp({ port, credentials, messageId }: SmppPulse): Promise<Ask> {
  const handle = async () => ({ status: 0 });
  const socket = connect(port, '127.0.0.1');
  const session = await bind(socket, 'bind_transmitter', credentials, { handle });
  const request = () =>
    messageId === undefined
      ? session.request('enquire_link', {})
      : session.request('query_sm', { messageId });
  return (done) => {
    request().then(
      ({ status }) => done(status === 0 ? undefined : `${status}`),
      (error: Error) => done(error.message),
    );
  };
}

function beat(): void {
  begin();
  ask((failure) => {
    if (!startedAt) return;
    slowest = Math.max(slowest, waited());
    if (failure) failures.push(failure);
    startedAt = 0;
    setTimeout(beat, INTERVAL_MS);
  });
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
const ask = 'url' in input ? byHttp(input) : await bySmpp(input);
beat();
