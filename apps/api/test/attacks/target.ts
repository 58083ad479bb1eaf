import { tokens } from '@heliograph/contract';
import type { PduOf } from '@heliograph/smpp';
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from '../../../../scripts/lib/build.mjs';
import { Processes, type Running } from '../flows/processes.ts';
import { approve } from '../factories.ts';
import { credentialsOf, smppClient, submitOf } from '../peers/smpp-client.ts';
import type { Person, World } from '../world.ts';
import type { Beats, PulseInput } from './pulse.ts';

/** How much longer than calls to an idle process of the same machine and database other callers may wait during an attack. */
export const STALL_LIMIT_MS = 150;
/** No refusal needs more room than this. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** A stall counts if this many attacks in a row show it: stalls of the product repeat, those of the machine do not. */
const ATTEMPTS = 5;
const ANSWER_SECONDS = 20;

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // Tests override this.
  json: any;
}

export interface Shot {
  method?: string;
  token?: string | null;
  body?: unknown;
  /** Sent as it is, instead of JSON. */
  bytes?: string | Uint8Array | FormData | ReadableStream;
  headers?: Record<string, string>;
}

export interface Smpp {
  process: Running;
  port: number;
  tlsPort: number | undefined;
}

const CABINET_DIR = fileURLToPath(new URL('../../../cabinet/dist', import.meta.url));
/** Optional services are configured, so that they are attacked, too. Long polls end before an attack gives up on its answer. */
const SERVICES = {
  LOOKUPS: 'local',
  MAIL_TRANSPORT: 'log',
  TEXT_GENERATOR: 'local',
  TTS: 'local',
  OTP_POLL_SECONDS: '1',
};

/** The built product with users and two observers that measure the delay of their calls. */
export class Target {
  readonly world: World;
  readonly base: string;
  readonly api: Running;
  private readonly processes: Processes;
  /** One without the database, then one for a row. */
  private readonly pulses: Worker[];
  /** They call an otherwise idle process, in the same order. */
  private readonly control: { process: ChildProcess; pulses: Worker[] };
  private readonly watched: Running[];
  private errorsSeen = 0;

  private constructor(
    processes: Processes,
    api: { process: Running; base: string },
    pulses: Worker[],
    control: { process: ChildProcess; pulses: Worker[] },
  ) {
    this.processes = processes;
    this.world = processes.world;
    this.api = api.process;
    this.watched = [api.process];
    this.base = api.base;
    this.pulses = pulses;
    this.control = control;
  }

  static async start(env: Record<string, string> = {}): Promise<Target> {
    await build(process.execPath);
    const processes = await Processes.start({ ...SERVICES, CABINET_DIR, ...env });
    const api = await processes.api();
    await processes.worker();
    const observer = await processes.world.person({ name: 'observer' });
    const { DATABASE_URL } = processes.world.config;
    const idle = fork(new URL('./control.ts', import.meta.url), {
      env: { ...process.env, DATABASE_URL },
    });
    const [port] = (await once(idle, 'message')) as [number];
    const { pid } = api.process;
    const pulses = [
      pulse({ url: `${api.base}/api/health/live`, pid }),
      pulse({ url: `${api.base}/api/users/me`, pid, token: observer.token }),
    ];
    const idlePulses = ['/', '/database'].map((path) =>
      pulse({ url: `http://127.0.0.1:${port}${path}`, pid: idle.pid! }),
    );
    // Not before they have begun.
    await Promise.all([...pulses, ...idlePulses].map(beatsOf));
    return new Target(processes, api, pulses, { process: idle, pulses: idlePulses });
  }

  /** Starts the SMPP server, which two more observers call from then on. Returns its ports, first that without TLS. */
  async startSmpp(env: Record<string, string> = {}): Promise<Smpp> {
    const { process, ports } = await this.processes.smpp(env);
    const [port] = ports as [number];
    const observer = await this.person({ name: 'smpp observer', balance: 10 });
    await approve(this.world, observer.id);
    const { token } = await observer.api(tokens.create, { body: { description: 'SMPP' } });
    const credentials = credentialsOf(token);
    const { pid } = process;
    const { session, submit } = await smppClient(port, credentials, 'bind_transmitter');
    const { messageId } = (await submit(submitOf('observed'))) as PduOf<'submit_sm_resp'>;
    await session.unbind();
    const pulses = [
      { pid, port, credentials },
      { pid, port, credentials, messageId },
    ].map(pulse);
    await Promise.all(pulses.map(beatsOf));
    this.pulses.push(...pulses);
    this.watched.push(process);
    return { process, port, tlsPort: ports[1] };
  }

  /** Sends a call as raw bytes and checks the invariants of every answer. */
  async shoot(path: string, { method, token, body, bytes, headers }: Shot = {}): Promise<Reply> {
    const hasBody = body !== undefined || bytes !== undefined;
    const answer = await fetch(this.base + path, {
      method: method ?? (hasBody ? 'POST' : 'GET'),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_SECONDS * 1000),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: token }),
        ...headers,
      },
      body: (bytes ??
        (body === undefined ? undefined : JSON.stringify(body))) as RequestInit['body'],
      ...(bytes instanceof ReadableStream && { duplex: 'half' }),
    } as RequestInit);
    const text = await answer.text();
    checkAnswer(path, answer.status, text);
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      // When it is asked for: a hundred large documents that nobody looks into would hold up their own calls.
      get json() {
        return parsed(text);
      },
    };
  }

  /** A GET of a path as it is written: `fetch` would tidy it first. */
  async read(path: string): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(this.base);
    const asked = request({ hostname, port, path, headers: { accept: 'text/html' } }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    assert.notEqual(answer.statusCode, 500, path);
    return { status: answer.statusCode!, text };
  }

  /** Runs the attack, and again if an observer waited too long. Observers are never refused. */
  async attack(act: () => Promise<void>): Promise<void> {
    let stall = 0;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      for (const pulse of [...this.pulses, ...this.control.pulses]) pulse.postMessage('reset');
      await act();
      const beats = await Promise.all(this.pulses.map(beatsOf));
      const idle = await Promise.all(this.control.pulses.map(beatsOf));
      assert.deepEqual(
        beats.flatMap(({ failures }) => failures),
        [],
      );
      stall = Math.max(...beats.map(({ slowest }, i) => slowest - idle[i % idle.length]!.slowest));
      if (stall < STALL_LIMIT_MS) break;
    }
    assert(stall < STALL_LIMIT_MS, `another caller waited ${Math.round(stall)} ms`);
    this.checkAlive();
  }

  /** Everything is up, nothing was unforeseen. */
  checkAlive(): void {
    for (const one of this.watched) assert(one.alive, one.output.slice(-3000));
    const errors = this.watched.flatMap((one) => one.errors);
    const fresh = errors.slice(this.errorsSeen);
    this.errorsSeen = errors.length;
    assert.deepEqual(fresh, []);
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.base}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(name));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  person(options: Parameters<World['person']>[0] = {}): Promise<Person> {
    return this.world.person(options);
  }

  async stop(): Promise<void> {
    const pulses = [...this.pulses, ...this.control.pulses];
    await Promise.all(pulses.map((pulse) => pulse.terminate()));
    this.control.process.kill();
    await this.processes.stop();
  }
}

const pulse = (input: PulseInput) =>
  new Worker(new URL('./pulse.ts', import.meta.url), { workerData: input });

async function beatsOf(pulse: Worker): Promise<Beats> {
  pulse.postMessage('read');
  const [beats] = (await once(pulse, 'message')) as [Beats];
  return beats;
}

/** The beginnings of the sentences of zod, where the API has its own. */
const SCHEMA_SENTENCES =
  /"(Unrecognized key|Invalid (input|option|key|element)|Too (big|small):)|expected \w+, received/;

function checkAnswer(path: string, status: number, text: string): void {
  if (status < 400) return;
  const what = `${path} ${status} ${text.slice(0, 300)}`;
  assert.notEqual(status, 500, what);
  assert(text.length < MAX_REFUSAL_BYTES, what);
  assert.doesNotMatch(text, /node_modules|at \w+ \(|\bselect \b.*\bfrom\b|QueryFailedError/, what);
  assert.doesNotMatch(text, SCHEMA_SENTENCES, what);
  if (!path.startsWith('/api/')) return;
  const body = parsed(text) as { error?: number | string; status?: string } | null;
  // The receipt of a message that was refused is flat.
  if (status !== 400 || body?.status !== 'failed') assert.equal(body?.error, status, what);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
