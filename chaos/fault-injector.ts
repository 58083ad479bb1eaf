import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from './random.ts';
import { type Address, Cluster, type FallbackServers, type Part } from './cluster.ts';

/** One injected fault; times in milliseconds of the clock. */
export interface Fault {
  kind: Kind;
  at: number;
  until: number;
}
export type Kind = keyof typeof WEIGHTS | keyof typeof OF_MACHINES | keyof typeof OF_FALLBACKS;
export type Ask = { id: number } & (
  | {
      do: 'open';
      dir: string;
      env: Record<string, string>;
      program?: string;
      fallback?: FallbackServers;
    }
  | {
      do: 'injectFaults';
      seed: string;
      ms: number;
      calm: number;
      isOrderly: boolean;
      /** Also those of machines. */
      ofMachines?: boolean;
      /** Those of rounds of fallbacks, in place of the others. */
      ofFallbacks?: boolean;
    }
  | { do: 'endWorkers' }
  | { do: 'close' }
);
export type Answer = {
  id: number;
  error?: string;
  address?: Address;
  faults?: Fault[];
  crashed?: string[];
  /** Processes that did not exit cleanly after SIGTERM. */
  uncleanExits?: string[];
};

/** How often each kind is chosen. */
const WEIGHTS = {
  'worker killed': 3,
  'worker stopped': 2,
  'worker shut down': 2,
  'api killed': 2,
  'api shut down': 2,
  'carrier killed': 2,
  'redis killed': 1,
  'redis emptied': 1,
  'postgres killed': 2,
};
/** Of the machines that the parts run on: a memory or a disk that takes nothing for a while, clocks that are wrong. */
const OF_MACHINES = {
  'redis full': 1,
  'postgres stalled': 1,
  'clock put forward': 2,
  'clock put back': 2,
};
/** Of what a message meets on its way: the SMSC, the workers with its sessions, the mail server, and the APIs at which bounces come in. */
const OF_FALLBACKS = {
  'smsc killed': 4,
  'smsc stopped': 1,
  'worker killed': 4,
  'worker stopped': 3,
  'worker shut down': 1,
  'postfix killed': 4,
  'postfix shut down': 1,
  'api killed': 1,
};
/** The faults of a round of shutdowns, in which no outcome may be unknown and no call cut off. */
const ORDERLY = { 'worker shut down': 1, 'api shut down': 1 };
const LEASE_MS = 3000;
const CLOCKS: Partial<Record<Kind, number>> = {
  'clock put forward': 7200,
  'clock put back': -3600,
};

let cluster: Cluster | undefined;

async function injectFault(random: Random, kind: Kind): Promise<boolean> {
  const alone = cluster!.alone.bind(cluster);
  const down = random.between(0, 1500);
  const part = (...names: Part[]) => random.one(names);
  if (kind === 'postgres killed') return alone('postgres', () => cluster!.killPostgres(down));
  if (kind === 'redis killed' || kind === 'redis emptied')
    return alone('redis', () => cluster!.killRedis(down, kind === 'redis emptied'));
  if (kind === 'postfix killed' || kind === 'postfix shut down')
    return alone('postfix', () => cluster!.killPostfix(down, kind === 'postfix shut down'));
  const longerThanLease = LEASE_MS + random.between(300, 1500);
  if (kind === 'redis full') return alone('redis', () => cluster!.fillRedis(longerThanLease));
  if (kind === 'postgres stalled')
    return alone('postgres', () => cluster!.stallPostgres(longerThanLease));
  const seconds = CLOCKS[kind];
  if (seconds !== undefined) {
    const of = part('worker', 'worker-2', 'api', 'api-2');
    return alone(`clock of ${of}`, () => cluster!.putClock(of, seconds, longerThanLease));
  }
  const name = kind.startsWith('worker')
    ? part('worker', 'worker-2')
    : kind === 'carrier killed'
      ? 'carrier'
      : kind.startsWith('smsc')
        ? 'smsc'
        : part('api', 'api-2');
  if (kind.endsWith(' stopped')) return alone(name, () => cluster!.suspend(name, longerThanLease));
  return kind.endsWith('shut down')
    ? alone(name, () => cluster!.endPart(name, down))
    : alone(name, () => cluster!.killPart(name, down));
}

/** Injects faults at random moments for `ms`, then waits until all parts run again. */
async function injectFaults({
  seed,
  ms,
  calm,
  isOrderly,
  ofMachines,
  ofFallbacks,
}: Extract<Ask, { do: 'injectFaults' }>): Promise<Fault[]> {
  const random = new Random(`${seed} chaos`);
  const usual = ofFallbacks ? OF_FALLBACKS : ofMachines ? { ...WEIGHTS, ...OF_MACHINES } : WEIGHTS;
  const weights = (isOrderly ? ORDERLY : usual) as Record<Kind, number>;
  const faults: Fault[] = [];
  const underWay: Promise<void>[] = [];
  const watch = setInterval(() => void cluster!.watch().catch(() => undefined), 250);
  for (const end = Date.now() + ms; ;) {
    await sleep(random.between(calm * 0.3, calm * 1.7));
    if (Date.now() >= end) break;
    const kind = random.weighed<Kind>(weights);
    const at = Date.now();
    underWay.push(
      injectFault(random, kind).then((isDone) => {
        if (isDone) faults.push({ kind, at, until: Date.now() });
      }),
    );
  }
  await Promise.all(underWay).finally(() => clearInterval(watch));
  await cluster!.watch();
  return faults.sort((a, b) => a.at - b.at);
}

async function answer(ask: Ask): Promise<Omit<Answer, 'id'>> {
  if (ask.do === 'open') {
    cluster = await Cluster.open(ask.dir, ask.env, ask.program, ask.fallback);
    return { address: cluster.address };
  }
  if (ask.do === 'injectFaults') {
    const faults = await injectFaults(ask);
    return {
      faults,
      crashed: cluster!.crashed.splice(0),
      uncleanExits: cluster!.uncleanExits.splice(0),
    };
  }
  if (ask.do === 'endWorkers') {
    await cluster!.endWorkers();
    return { uncleanExits: cluster!.uncleanExits.splice(0) };
  }
  await cluster?.close();
  cluster = undefined;
  return {};
}

process.on('message', (ask: Ask) => {
  void answer(ask).then(
    (done) => process.send!({ ...done, id: ask.id }),
    (error: Error) => process.send!({ id: ask.id, error: error.stack ?? String(error) }),
  );
});
// The parent has exited: leave no processes behind.
process.on('disconnect', () => {
  cluster?.closeNow();
  process.exit(1);
});
process.on('SIGINT', () => undefined);
