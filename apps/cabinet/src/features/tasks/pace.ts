import type { Task } from '@heliograph/contract';

/** How many recipients were final at a time, in Unix milliseconds. */
export interface Sample {
  at: number;
  done: number;
}

export interface Pace {
  /** Recipients that became final per minute. */
  perMinute: number;
  /** Until all are final at this pace; null when nothing moves. */
  secondsLeft: number | null;
}

/** The pace is that of the last minute: what was before says little about what comes. */
export const WINDOW_MS = 60_000;

/** Keeps what is needed to tell the pace: the samples of the window and the last one before it. */
export function addSample(samples: Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && last.at === sample.at && last.done === sample.done) return samples;
  const edge = sample.at - WINDOW_MS;
  const from = samples.findLastIndex((s) => s.at <= edge);
  return [...samples.slice(Math.max(0, from)), sample];
}

/** From what was seen, or, on the first look, from all that was done since the start. */
export function paceOf(samples: Sample[], task: Task, expected: number): Pace | null {
  const last = samples.at(-1);
  if (!last) return null;
  const began = task.startedAt ? Date.parse(task.startedAt) : last.at;
  const first =
    samples.length > 1 && last.at - samples[0]!.at >= 2000 ? samples[0]! : { at: began, done: 0 };
  const ms = last.at - first.at;
  if (ms <= 0) return null;
  const perMinute = ((last.done - first.done) / ms) * 60_000;
  const left = Math.max(0, expected - last.done);
  return { perMinute, secondsLeft: perMinute > 0 ? Math.ceil((left / perMinute) * 60) : null };
}
