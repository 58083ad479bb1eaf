/** Events of a kind that fell into one moment. `at` is in Unix milliseconds. */
export interface EventCounts {
  at: number;
  submitted: number;
  delivered: number;
  failed: number;
}

export interface EventSteps {
  /** Length of a step. */
  seconds: number;
  /** Without gaps, ascending. The last one contains all later events. */
  steps: EventCounts[];
}

const MAX_STEPS = 48;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LENGTHS = [
  10,
  30,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
  30 * DAY,
  365 * DAY,
];
/** The rest is a tail of late reports, which would leave no room for what happened. */
const SHOWN_SHARE = 0.99;

const sizeOf = ({ submitted, delivered, failed }: EventCounts): number =>
  submitted + delivered + failed;

/**
 * Events in ascending order as at most 48 steps of one round length, such that 99 % of them are in their own step. Without events
 * there are no steps.
 */
export function eventSteps(events: readonly EventCounts[]): EventSteps {
  const first = events[0];
  if (!first) return { seconds: LENGTHS[0]!, steps: [] };
  const enough = SHOWN_SHARE * events.reduce((sum, event) => sum + sizeOf(event), 0);
  let seen = 0;
  const end = events.find((event) => (seen += sizeOf(event)) >= enough)!.at;
  const startOf = (seconds: number) => Math.floor(first.at / (seconds * 1000)) * seconds * 1000;
  const countOf = (seconds: number) => Math.floor((end - startOf(seconds)) / (seconds * 1000)) + 1;
  const seconds = LENGTHS.find((length) => countOf(length) <= MAX_STEPS) ?? LENGTHS.at(-1)!;
  const steps = Array.from({ length: Math.min(countOf(seconds), MAX_STEPS) }, (_, n) => ({
    at: startOf(seconds) + n * seconds * 1000,
    submitted: 0,
    delivered: 0,
    failed: 0,
  }));
  for (const event of events) {
    const n = Math.floor((event.at - steps[0]!.at) / (seconds * 1000));
    const step = steps[Math.min(n, steps.length - 1)]!;
    step.submitted += event.submitted;
    step.delivered += event.delivered;
    step.failed += event.failed;
  }
  return { seconds, steps };
}
