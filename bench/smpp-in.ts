import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kannel } from './kannel.ts';
import { Inspected } from './inspected.ts';
import { residentMb } from './proc.ts';
import { channel, dist, freePort, root, type Product } from './product.ts';
import type { Door, LoadResult, Login, Order } from './receipts-load.ts';
import { median, reached, RUNS, say, type Bench, type Row } from './rows.ts';
import { accounts } from './single.ts';

const SESSIONS = 50;
/** Unanswered submits of a session. */
const WINDOW = 10;
/** An account has ten sessions. */
const EACH = 10;
const IDLE = 1000;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
/** Unanswered submits of either at the carrier. */
const CARRIER_WINDOW = 100;
const CARRIER = 'bench-carrier';
const READY_MS = 60_000;

/** A process of load, and what it was told to do last. */
class Loader {
  private readonly child;
  constructor(door: Door) {
    this.child = fork(join(root, 'bench/receipts-load.ts'), [JSON.stringify(door)]);
  }

  async open(): Promise<this> {
    await this.message();
    return this;
  }

  async load(order: Order): Promise<LoadResult> {
    this.child.send(order);
    return (await this.message()) as LoadResult;
  }

  async enquire(): Promise<{ enquired: number; alive: number }> {
    this.child.send('enquire');
    return (await this.message()) as { enquired: number; alive: number };
  }

  async close(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }

  private async message(): Promise<unknown> {
    const stop = new AbortController();
    const { signal } = stop;
    const ended = once(this.child, 'exit', { signal }).then(() => {
      throw new Error('the load failed');
    });
    ended.catch(() => undefined);
    try {
      const [message] = (await Promise.race([once(this.child, 'message', { signal }), ended])) as [
        unknown,
      ];
      return message;
    } finally {
      stop.abort();
    }
  }
}

/** What programs of accounts bind with: of each account so many times. */
async function logins(product: Product, tokens: string[]): Promise<Login[]> {
  const all: Login[] = [];
  for (const session of tokens) {
    const made = await product.call<{ token: string }>(
      'POST',
      '/tokens',
      { description: 'SMPP' },
      session,
    );
    const [, systemId, secret] = /^(hg_\w{12})_(.*)$/.exec(made.token)!;
    const login = { systemId: systemId!, password: secret!.slice(0, 8) };
    for (let i = 0; i < EACH; i++) all.push(login);
  }
  return all;
}

async function startServer(product: Product, flags: string[] = []): Promise<number> {
  const port = await freePort();
  product.spawn('smpp', join(dist, 'smpp.js'), { SMPP_PORT: String(port) }, flags);
  await listening(port);
  return port;
}

async function listening(port: number): Promise<void> {
  for (const started = performance.now(); performance.now() - started < READY_MS;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}

async function startCarrier(product: Product): Promise<number> {
  const port = await freePort();
  product.spawn('carrier', join(root, 'bench/smpp-carrier.ts'), { PORT: String(port) });
  await listening(port);
  return port;
}

interface Taken extends LoadResult {
  /** Milliseconds of CPU for a message, by process. */
  cpu: Record<string, number>;
}

/** One of the two services. */
interface Service {
  load: Loader;
  window: number;
  /** CPU seconds so far, by process. */
  cpu(): Promise<Record<string, number>>;
}

async function take({ load, window, cpu }: Service, perSecond?: number): Promise<Taken> {
  const before = await cpu();
  const result = await load.load({ seconds: SECONDS, window, perSecond });
  const used = Object.entries(await cpu()).map(([role, seconds]): [string, number] => [
    role,
    ((seconds - before[role]!) / result.count) * 1000,
  ]);
  return { ...result, cpu: Object.fromEntries(used) };
}

/** Memory of a fresh server before and while a thousand programs are bound that do nothing, after a collection of garbage. */
async function idle(product: Product, all: Login[]): Promise<Row> {
  const inspector = await freePort();
  const server = await startServer(product, [
    `--inspect=127.0.0.1:${inspector}`,
    '--inspect-publish-uid=http',
  ]);
  const inspected = await Inspected.of(inspector);
  const { pid } = product.processes.findLast(({ role }) => role === 'smpp')!.child;
  const memory = async () => {
    await inspected.collectGarbage();
    return residentMb(pid!);
  };
  const timers = async () => (await inspected.resources()).Timeout ?? 0;
  const open = async () => new Loader({ kind: 'smpp', port: server, logins: all }).open();
  const [before, timersBefore] = [await memory(), await timers()];
  const load = await open();
  let during: number;
  try {
    const { enquired, alive } = await load.enquire();
    if (enquired < IDLE || alive < IDLE)
      throw new Error(`of ${IDLE} sessions ${alive} were answered and ${enquired} asked`);
    during = await memory();
  } finally {
    await load.close();
  }
  await reached('timers that ended', -timersBefore, async () => -(await timers()));
  inspected.close();
  return {
    bench: 'smpp-in-idle',
    figure: `${say(during - before)} MB more for ${say(IDLE)} idle sessions, ${say(during)} MB in all`,
    reference: `${say(before)} MB without them`,
    score: during - before,
    accept: 150,
    aim: 50,
    atMost: true,
  };
}

const rateOf = ({ count, receivedSeconds }: LoadResult) => count / receivedSeconds;
const answersOf = ({ count, answeredSeconds }: LoadResult) => count / answeredSeconds;

export const smppInBench: Bench = {
  async run(product) {
    const carrier = await startCarrier(product);
    await channel(product, CARRIER, 'smpp', ['sms'], {
      url: `smpp://127.0.0.1:${carrier}`,
      systemId: 'bench',
      password: 'bench',
      window: CARRIER_WINDOW,
    });
    const programs = await logins(product, await accounts(product, IDLE / EACH));
    const port = await startServer(product);
    let rows: Row[];
    const closing: { close(): Promise<void> }[] = [];
    const kannel = await Kannel.start(carrier, CARRIER_WINDOW);
    try {
      const open = async (door: Door) => {
        const loader = new Loader(door);
        closing.push(loader);
        return loader.open();
      };
      const ours: Service = {
        load: await open({ kind: 'smpp', port, logins: programs.slice(0, SESSIONS) }),
        window: WINDOW,
        async cpu() {
          const { carrier: _, ...used } = await product.cpu();
          return used;
        },
      };
      const theirs: Service = {
        load: await open({ kind: 'sendsms', port: kannel.port, connections: SESSIONS }),
        window: 1,
        cpu: () => Promise.resolve({ kannel: kannel.cpu() }),
      };
      rows = await compare(ours, theirs);
    } finally {
      for (const one of closing) await one.close();
      await kannel.stop();
    }
    await product.verify();
    return [...rows, await idle(product, programs)];
  },
};

async function compare(ours: Service, theirs: Service): Promise<Row[]> {
  await take(ours);
  await take(theirs);
  const full = { ours: [] as Taken[], theirs: [] as Taken[] };
  for (let i = 0; i < RUNS; i++) {
    full.ours.push(await take(ours));
    full.theirs.push(await take(theirs));
  }
  const of = (some: Taken[], what: (one: Taken) => number) => median(some.map(what));
  const rate = of(full.ours, rateOf);
  const half = { ours: [] as Taken[], theirs: [] as Taken[] };
  for (let i = 0; i < RUNS; i++) {
    half.ours.push(await take(ours, rate / 2));
    half.theirs.push(await take(theirs, of(full.theirs, rateOf) / 2));
  }
  const cpuOf = ({ cpu }: Taken) => Object.values(cpu).reduce((sum, one) => sum + one, 0);
  const roles = Object.keys(full.ours[0]!.cpu)
    .map((role) => `${role} ${say(of(full.ours, ({ cpu }) => cpu[role]!))}`)
    .join(', ');
  const spread = (some: Taken[]) =>
    `p50 ${say(of(some, ({ p50 }) => p50))} ms, p99 ${say(of(some, ({ p99 }) => p99))} ms`;
  return [
    {
      bench: 'smpp-in',
      figure: `${say(rate)} messages/s to the last receipt, ${say(of(full.ours, answersOf))} answers/s, ${spread(full.ours)}`,
      reference: `${say(of(full.theirs, rateOf))}/s of Kannel, ${say(of(full.theirs, answersOf))} answers/s, ${spread(full.theirs)}`,
      score: rate / of(full.theirs, rateOf),
      accept: 2,
      aim: 4,
    },
    {
      bench: 'smpp-in, half load',
      figure: spread(half.ours),
      reference: `${spread(half.theirs)} of Kannel at half of its load`,
      score: of(half.ours, ({ p99 }) => p99),
      accept: 100,
      aim: 30,
      atMost: true,
    },
    {
      bench: 'smpp-in-cpu',
      figure: `${say(of(full.ours, cpuOf))} ms CPU of a message: ${roles}`,
      reference: `${say(of(full.theirs, cpuOf))} ms of Kannel`,
    },
  ];
}
