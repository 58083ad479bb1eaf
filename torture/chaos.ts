import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from './dice.ts';
import { type Address, House, type Part } from './house.ts';

/** One thing that was done to the product, in milliseconds of the clock. */
export interface Fault {
  kind: Kind;
  at: number;
  until: number;
}
export type Kind = keyof typeof WEIGHTS;
export type Ask = { id: number } & (
  | { do: 'open'; dir: string }
  | { do: 'storm'; seed: string; ms: number; calm: number; isOrderly: boolean }
  | { do: 'close' }
);
export type Answer = {
  id: number;
  error?: string;
  address?: Address;
  faults?: Fault[];
  fallen?: string[];
  /** What ended otherwise than it should when it was told to. */
  disorderly?: string[];
};

/** How often each kind is chosen. */
const WEIGHTS = {
  'worker killed': 3,
  'worker stopped': 2,
  'worker told to end': 2,
  'api killed': 2,
  'api told to end': 2,
  'carrier killed': 2,
  'redis killed': 1,
  'redis emptied': 1,
  'postgres killed': 2,
};
/** All that is done in an orderly round, where nothing may be in doubt and no call cut off. */
const ORDERLY = { 'worker told to end': 1, 'api told to end': 1 };
const LEASE_MS = 3000;

let house: House | undefined;

async function strike(dice: Dice, kind: Kind): Promise<boolean> {
  const alone = house!.alone.bind(house);
  const down = dice.between(0, 1500);
  const part = (...names: Part[]) => dice.one(names);
  if (kind === 'postgres killed') return alone('postgres', () => house!.killPostgres(down));
  if (kind === 'redis killed' || kind === 'redis emptied')
    return alone('redis', () => house!.killRedis(down, kind === 'redis emptied'));
  const name = kind.startsWith('worker')
    ? part('worker', 'worker-2')
    : kind === 'carrier killed'
      ? 'carrier'
      : part('api', 'api-2');
  if (kind === 'worker stopped')
    return alone(name, () => house!.standStill(name, LEASE_MS + dice.between(300, 1500)));
  return kind.endsWith('told to end')
    ? alone(name, () => house!.endPart(name, down))
    : alone(name, () => house!.killPart(name, down));
}

/** Faults at random instants for so long, then waits until everything is up again. */
async function storm({
  seed,
  ms,
  calm,
  isOrderly,
}: Extract<Ask, { do: 'storm' }>): Promise<Fault[]> {
  const dice = new Dice(`${seed} chaos`);
  const faults: Fault[] = [];
  const underWay: Promise<void>[] = [];
  const watch = setInterval(() => void house!.watch().catch(() => undefined), 250);
  for (const end = Date.now() + ms; ;) {
    await sleep(dice.between(calm * 0.3, calm * 1.7));
    if (Date.now() >= end) break;
    const kind = dice.weighed<Kind>(isOrderly ? (ORDERLY as typeof WEIGHTS) : WEIGHTS);
    const at = Date.now();
    underWay.push(
      strike(dice, kind).then((isDone) => {
        if (isDone) faults.push({ kind, at, until: Date.now() });
      }),
    );
  }
  await Promise.all(underWay).finally(() => clearInterval(watch));
  await house!.watch();
  return faults.sort((a, b) => a.at - b.at);
}

async function answer(ask: Ask): Promise<Omit<Answer, 'id'>> {
  if (ask.do === 'open') {
    house = await House.open(ask.dir);
    return { address: house.address };
  }
  if (ask.do === 'storm') {
    const faults = await storm(ask);
    return {
      faults,
      fallen: house!.fallen.splice(0),
      disorderly: house!.disorderly.splice(0),
    };
  }
  await house?.close();
  house = undefined;
  return {};
}

process.on('message', (ask: Ask) => {
  void answer(ask).then(
    (done) => process.send!({ ...done, id: ask.id }),
    (error: Error) => process.send!({ id: ask.id, error: error.stack ?? String(error) }),
  );
});
// Whoever asked is gone: nothing is left behind.
process.on('disconnect', () => {
  house?.closeNow();
  process.exit(1);
});
process.on('SIGINT', () => undefined);
