import type { Task } from '@heliograph/contract';

/** How many recipients were final at a time, in Unix milliseconds. */
export interface Sample {
  at: number;
  done: number;
}

export interface Pace {
  /** Recipients that became final per minute, rounded. */
  perMinute: number;
  /** Until all are final; null when nothing moves. */
  secondsLeft: number | null;
}

/** The pace is measured over the last minute. */
export const WINDOW_MS = 60_000;

/** Keeps the samples of the window and the last one before it. */
export function addSample(samples: Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && last.at === sample.at && last.done === sample.done) return samples;
  const edge = sample.at - WINDOW_MS;
  const from = samples.findLastIndex((s) => s.at <= edge);
  return [...samples.slice(Math.max(0, from)), sample];
}

/**
 * Measured from the samples; from the first one alone, the average since the start. What is spread over time ends when the
 * last of it is due, however fast the first of it went.
 */
export function paceOf(samples: Sample[], task: Task, expected: number): Pace | null {
  const last = samples.at(-1);
  if (!last) return null;
  const began = task.startedAt ? Date.parse(task.startedAt) : last.at;
  const first =
    samples.length > 1 && last.at - samples[0]!.at >= 2000 ? samples[0]! : { at: began, done: 0 };
  const ms = last.at - first.at;
  if (ms <= 0) return null;
  const perMinute = Math.round(((last.done - first.done) / ms) * 60_000);
  const left = Math.max(0, expected - last.done);
  if (perMinute === 0) return { perMinute, secondsLeft: null };
  const spreadMs = left && task.until ? Date.parse(task.until) - last.at : 0;
  const secondsLeft = spreadMs > 0 ? spreadMs / 1000 : (left / perMinute) * 60;
  return { perMinute, secondsLeft: Math.ceil(secondsLeft) };
}
