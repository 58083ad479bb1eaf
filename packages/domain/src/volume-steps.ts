import type { Money } from './money.ts';
import { PACKAGE_TYPES, type SendingType } from './types.ts';

/** From so many units in a month on, a tariff costs so much less. */
export interface VolumeStep {
  /** Units that were billed before the message. */
  from: number;
  /** Above 0 and below 100, with at most two decimals. */
  percent: number;
}

export const MAX_VOLUME_STEPS = 10;

/** Whether each step begins later than the one before it and takes off more. */
export const areRising = (steps: readonly VolumeStep[]): boolean =>
  steps.every(({ from, percent }, i) => {
    const former = steps[i - 1];
    return !former || (from > former.from && percent > former.percent);
  });

/** Whether messages of a type have units that count: calls are billed by seconds, instances by months. */
export const hasVolume = (type: SendingType): boolean =>
  PACKAGE_TYPES.some((counted) => counted === type);

export interface StepInForce {
  /** 1 for the first step, 0 before it. */
  number: number;
  step: VolumeStep | null;
  next: VolumeStep | null;
}

/** The step of a message before which so many units were billed in the month. */
export function volumeStep(steps: readonly VolumeStep[], units: number): StepInForce {
  const number = steps.findLastIndex(({ from }) => units >= from) + 1;
  return { number, step: steps[number - 1] ?? null, next: steps[number] ?? null };
}

/**
 * A price after a step, each element rounded up to 1/10,000, so that none becomes free, and not below `floor`.
 * `priceAfterStep([32000n], { from: 1, percent: 12.5 })` is [28000n].
 */
export function priceAfterStep(
  price: readonly Money[],
  step: VolumeStep | null,
  floor: readonly Money[] = [],
): readonly Money[] {
  if (!step) return price;
  const left = 10_000n - BigInt(Math.round(step.percent * 100));
  return price.map((amount, i) => {
    const reduced = (amount * left + 9999n) / 10_000n;
    const least = floor[i] ?? 0n;
    return reduced > least ? reduced : least;
  });
}
