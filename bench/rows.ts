import { setTimeout as sleep } from 'node:timers/promises';
import type { Product, ProductOptions } from './product.ts';

/** What one measurement says. `score` is what the bounds are about: mostly the figure divided by its reference. */
export interface Row {
  bench: string;
  figure: string;
  reference?: string;
  score?: number;
  /** Of the score: what is asked for, and what is aimed at. `atMost` when less is better. */
  accept?: number;
  aim?: number;
  atMost?: boolean;
}

/** A bench: how its product is started, and what it measures there. */
export interface Bench {
  product?: ProductOptions;
  run(product: Product): Promise<Row[]>;
}

/** Recipients of a bulk. */
export const COUNT = Number(process.env.BENCH_COUNT ?? 100_000);
/** How often a figure and its reference are taken in turn; the median counts. */
export const RUNS = Number(process.env.BENCH_RUNS ?? 3);

/** `aim`, `accepted` or `below`; null where there are no bounds. */
export function verdict({ score, accept, aim, atMost }: Row): string | null {
  if (score === undefined || accept === undefined || aim === undefined) return null;
  const holds = (bound: number) => (atMost ? score <= bound : score >= bound);
  return holds(aim) ? 'aim' : holds(accept) ? 'accepted' : 'below';
}

/** Takes each of some measurements `RUNS` times in turn, so that what disturbs the machine disturbs all of them. */
export async function inTurn<K extends string>(
  measures: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const taken = Object.fromEntries(Object.keys(measures).map((k) => [k, []])) as unknown as Record<
    K,
    number[]
  >;
  for (let i = 0; i < RUNS; i++)
    for (const key of Object.keys(measures) as K[]) taken[key].push(await measures[key]());
  return Object.fromEntries(
    (Object.keys(taken) as K[]).map((k) => [k, median(taken[k])]),
  ) as Record<K, number>;
}

const STALL_MS = 60_000;

/** Waits until `count` reaches `wanted`; fails when it has not grown for a minute. */
export async function reached(
  what: string,
  wanted: number,
  count: () => number | Promise<number>,
): Promise<void> {
  let [last, at] = [-1, performance.now()];
  for (;;) {
    const now = await count();
    if (now >= wanted) return;
    if (now !== last) [last, at] = [now, performance.now()];
    if (performance.now() - at > STALL_MS)
      throw new Error(`${what}: ${now} of ${wanted}, and no more for ${STALL_MS / 1000} s`);
    await sleep(20);
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function percentile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]!;
}

/** `19829.4` is `19,829`, `7.712` is `7.7`, `0.0213` is `0.021`. */
export function say(n: number): string {
  const digits = n >= 100 ? 0 : n >= 1 ? 1 : 3;
  return n.toLocaleString('en', { maximumFractionDigits: digits });
}
