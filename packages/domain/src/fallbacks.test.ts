import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  FallbackItem,
  FallbackPlan,
  NextStep,
  AttemptProgress,
  TriggerEvent,
} from './fallbacks.ts';
import {
  MAX_FALLBACKS,
  endsTimer,
  isTriggerActive,
  nextStep,
  typesByFailure,
} from './fallbacks.ts';
import { canTransition } from './reports.ts';
import type { Status } from './types.ts';
import { STATUSES, isFinal } from './types.ts';

const submittedAt = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(submittedAt.getTime() + seconds * 1000);
const item = (parts: Partial<FallbackItem>): FallbackItem => ({
  onStatus: [],
  onTimeout: null,
  onIncomingPayload: null,
  ...parts,
});
const timeout: FallbackItem['onTimeout'] = { timeout: 50, except: ['delivered', 'seen'] };
const onFailed = item({ onStatus: ['failed'] });
const onTimer = item({ onTimeout: timeout });
const onReply = item({ onIncomingPayload: { text: ' Да ' } });

const progress = (parts: Partial<AttemptProgress> = {}): AttemptProgress => ({
  attempt: 0,
  status: 'sent',
  submittedAt,
  successorStarted: false,
  stopped: false,
  paused: false,
  ...parts,
});
const status = (value: Status): TriggerEvent => ({ kind: 'status', status: value });
const timer: TriggerEvent = { kind: 'timer' };
const reply = (text: string, seconds = 10): TriggerEvent => ({
  kind: 'incoming',
  text,
  at: after(seconds),
});
const start = (trigger: string): NextStep => ({ do: 'start', attempt: 1, trigger }) as NextStep;
const done: NextStep = { do: 'done' };
const wait = (until: Date | null): NextStep => ({ do: 'wait', until });

type Case = [string, FallbackItem, Partial<AttemptProgress>, TriggerEvent, number, NextStep];

describe('nextStep', () => {
  it.each([
    ['a status of the list', onFailed, { status: 'failed' }, status('failed'), 5, start('status')],
    ['a status not of the list', onFailed, {}, status('sent'), 5, done],
    [
      'a failure replaced by a late delivery',
      onFailed,
      { status: 'delivered' },
      status('failed'),
      5,
      done,
    ],
    [
      'a status that was passed',
      item({ onStatus: ['sent'] }),
      { status: 'delivered' },
      status('delivered'),
      5,
      start('status'),
    ],
    [
      'seen includes delivered',
      item({ onStatus: ['delivered'] }),
      { status: 'seen' },
      status('seen'),
      5,
      start('status'),
    ],
    [
      'a failure includes no other status',
      item({ onStatus: ['sent'] }),
      { status: 'failed' },
      status('failed'),
      5,
      done,
    ],
    [
      'pending does not fire afterwards',
      item({ onStatus: ['pending'] }),
      {},
      status('sent'),
      5,
      done,
    ],
    [
      'paused never fires',
      item({ onStatus: ['paused'] }),
      { status: 'paused' },
      status('paused'),
      5,
      done,
    ],

    ['the timer at its end', onTimer, {}, timer, 50, start('timeout')],
    ['the timer too early', onTimer, {}, timer, 49, wait(after(50))],
    ['the timer without a submission', onTimer, { submittedAt: null }, timer, 99, done],
    ['an excepted status', onTimer, { status: 'delivered' }, timer, 50, done],
    ['an excepted status before the end', onTimer, { status: 'delivered' }, timer, 10, done],
    ['failed is not excepted', onTimer, { status: 'failed' }, timer, 50, start('timeout')],
    [
      'delivered excepts seen',
      item({ onTimeout: { timeout: 50, except: ['delivered'] } }),
      { status: 'seen' },
      timer,
      50,
      done,
    ],
    [
      'a timer without exceptions is off',
      item({ onTimeout: { timeout: 50, except: [] } }),
      {},
      timer,
      50,
      done,
    ],
    [
      'a timer of 0 is off',
      item({ onTimeout: { timeout: 0, except: ['seen'] } }),
      {},
      timer,
      50,
      done,
    ],
    [
      'a failure waits for the timer',
      onTimer,
      { status: 'failed' },
      status('failed'),
      5,
      wait(after(50)),
    ],
    [
      'a failure after the end of the timer',
      onTimer,
      { status: 'failed' },
      status('failed'),
      60,
      start('timeout'),
    ],
    [
      'a failure before the submission',
      onTimer,
      { status: 'failed', submittedAt: null },
      status('failed'),
      5,
      done,
    ],
    [
      'an excepted failure',
      item({ onTimeout: { timeout: 50, except: ['failed'] } }),
      { status: 'failed' },
      status('failed'),
      5,
      done,
    ],

    ['the expected reply', onReply, {}, reply('да'), 10, start('incoming')],
    ['the reply with spaces and case', onReply, {}, reply('  ДА\n'), 10, start('incoming')],
    ['another reply', onReply, {}, reply('да, спасибо'), 10, done],
    ['an empty text is off', item({ onIncomingPayload: { text: '  ' } }), {}, reply(''), 10, done],
    ['a reply at 24 hours', onReply, {}, reply('да', 86_400), 86_400, start('incoming')],
    ['a reply after 24 hours', onReply, {}, reply('да', 86_401), 86_401, done],
    ['a reply before the submission', onReply, {}, reply('да', -1), 10, done],
    ['a reply without a submission', onReply, { submittedAt: null }, reply('да'), 10, done],
    [
      'a reply after delivered, the only trigger',
      onReply,
      { status: 'delivered' },
      reply('да'),
      10,
      start('incoming'),
    ],
    [
      'a reply after delivered, one of two',
      { ...onReply, onStatus: ['failed'] },
      { status: 'delivered' },
      reply('да'),
      10,
      done,
    ],
    [
      'a reply before the delivery',
      { ...onReply, onStatus: ['failed'] },
      { status: 'delivered', deliveredAt: after(20) },
      reply('да'),
      30,
      start('incoming'),
    ],
    ['a reply on a failure', onReply, { status: 'failed' }, reply('да'), 10, done],
    [
      'a failure whose only trigger is a reply',
      onReply,
      { status: 'failed' },
      status('failed'),
      10,
      done,
    ],
    [
      'another reply on a failure that waits',
      { ...onTimer, ...onReply, onTimeout: timeout },
      { status: 'failed' },
      reply('нет'),
      10,
      wait(after(50)),
    ],

    [
      'a pause delays a trigger that fired',
      onFailed,
      { status: 'failed', paused: true },
      status('failed'),
      5,
      wait(null),
    ],
    ['a pause delays the timer', onTimer, { paused: true }, timer, 50, wait(null)],
    [
      'a pause does not delay events without a trigger',
      onFailed,
      { paused: true },
      status('sent'),
      5,
      done,
    ],
    ['stopped', onFailed, { status: 'failed', stopped: true }, status('failed'), 5, done],
    [
      'stopped and waiting',
      onTimer,
      { status: 'failed', stopped: true },
      status('failed'),
      5,
      done,
    ],
    [
      'superseded',
      onFailed,
      { status: 'failed', successorStarted: true },
      status('failed'),
      5,
      done,
    ],
    [
      'no item for the attempt',
      onFailed,
      { status: 'failed', attempt: 1 },
      status('failed'),
      5,
      done,
    ],
  ] as Case[])('%s', (_, one, parts, event, seconds, expected) => {
    expect(nextStep([one], progress(parts), event, after(seconds))).toEqual(expected);
  });

  it('starts attempt n + 1 from item n, and never more than three', () => {
    const plan = [onFailed, onFailed, onFailed, onFailed];
    const from = (attempt: number): NextStep =>
      nextStep(plan, progress({ attempt, status: 'failed' }), status('failed'), after(1));
    expect(from(1)).toEqual({ do: 'start', attempt: 2, trigger: 'status' });
    expect(from(2)).toEqual({ do: 'start', attempt: 3, trigger: 'status' });
    expect(from(3)).toEqual(done);
  });
});

describe('isTriggerActive', () => {
  it.each([
    [item({}), false],
    [onFailed, true],
    [onTimer, true],
    [onReply, true],
    [item({ onTimeout: { timeout: 0, except: ['seen'] } }), false],
    [item({ onTimeout: { timeout: 50, except: [] } }), false],
    [item({ onIncomingPayload: { text: ' ' } }), false],
  ])('%#', (one, expected) => {
    expect(isTriggerActive(one)).toBe(expected);
  });
});

// ---- A chain under any sequence of events --------------------------------------------------

type Event =
  | { kind: 'submit'; attempt: number }
  | { kind: 'report'; attempt: number; status: Status }
  | { kind: 'timer'; attempt: number }
  | { kind: 'reply'; attempt: number; text: string }
  | { kind: 'pause' | 'resume' | 'stop' };

const attempt = fc.nat(MAX_FALLBACKS);
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant('submit' as const), attempt }),
  fc.record({
    kind: fc.constant('report' as const),
    attempt,
    status: fc.constantFrom(...STATUSES),
  }),
  fc.record({ kind: fc.constant('timer' as const), attempt }),
  fc.record({ kind: fc.constant('reply' as const), attempt, text: fc.constantFrom('да', 'нет') }),
  fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'stop' as const) }),
);
const anyItem: fc.Arbitrary<FallbackItem> = fc.record({
  onStatus: fc.subarray([...STATUSES]),
  onTimeout: fc.option(
    fc.record({ timeout: fc.constantFrom(0, 2, 5), except: fc.subarray([...STATUSES]) }),
  ),
  onIncomingPayload: fc.option(fc.record({ text: fc.constantFrom('', 'да') })),
});
const anyPlan = fc.array(anyItem, { maxLength: MAX_FALLBACKS });

interface Chain {
  attempts: AttemptProgress[];
  stopped: boolean;
  paused: boolean;
}

/** Simulates a worker: applies the event, calls nextStep and performs the step. */
function play(plan: FallbackPlan, events: Event[], check: (chain: Chain, seconds: number) => void) {
  const fresh = (number: number): AttemptProgress =>
    progress({ attempt: number, status: 'pending', submittedAt: null });
  const chain: Chain = { attempts: [fresh(0)], stopped: false, paused: false };
  const starts: object[] = [];
  for (const [seconds, event] of events.entries()) {
    const triggerEvent = apply(chain, event, after(seconds));
    const target = 'attempt' in event ? chain.attempts[event.attempt] : undefined;
    const state = { ...target!, stopped: chain.stopped, paused: chain.paused };
    const step =
      triggerEvent && target ? nextStep(plan, state, triggerEvent, after(seconds)) : null;
    if (step?.do === 'start') {
      starts.push({ ...state, attempt: step.attempt - target!.attempt });
      target!.successorStarted = true;
      chain.attempts.push(fresh(step.attempt));
    }
    check(chain, seconds);
  }
  const allowed = { stopped: false, paused: false, successorStarted: false, attempt: 1 };
  for (const start of starts) expect(start).toMatchObject(allowed);
  return chain;
}

function apply(chain: Chain, event: Event, now: Date): TriggerEvent | null {
  if (!('attempt' in event)) {
    if (event.kind === 'stop') chain.stopped = true;
    else chain.paused = event.kind === 'pause';
    return null;
  }
  const target = chain.attempts[event.attempt];
  if (!target) return null;
  if (event.kind === 'submit') {
    target.submittedAt ??= now;
    return null;
  }
  if (event.kind === 'timer') return timer;
  if (event.kind === 'reply') return { kind: 'incoming', text: event.text, at: now };
  if (!canTransition(target.status, event.status)) return null;
  target.status = event.status;
  return status(event.status);
}

describe('a chain under random events', () => {
  const runs = { numRuns: 2000 };
  const events = fc.array(anyEvent, { maxLength: 25 });

  it('has at most one live attempt and never more attempts than the plan allows', () => {
    fc.assert(
      fc.property(anyPlan, events, (plan, sequence) => {
        play(plan, sequence, ({ attempts }) => {
          const live = attempts.filter((one) => !isFinal(one.status) && !one.successorStarted);
          expect(live.length).toBeLessThanOrEqual(1);
          expect(attempts.length).toBeLessThanOrEqual(plan.length + 1);
          // Only the last attempt lacks a successor, so the live one is always the last.
          expect(attempts.slice(0, -1).every((one) => one.successorStarted)).toBe(true);
        });
      }),
      runs,
    );
  });

  it('starts no fallback after a stop', () => {
    fc.assert(
      fc.property(anyPlan, events, events, (plan, before, later) => {
        let atStop = 0;
        const all: Event[] = [...before, { kind: 'stop' }, ...later];
        play(plan, all, ({ attempts }, index) => {
          if (index === before.length) atStop = attempts.length;
          expect(index > before.length ? attempts.length : atStop).toBe(atStop);
        });
      }),
      runs,
    );
  });

  it('starts at most one fallback for a repeated event', () => {
    fc.assert(
      fc.property(anyPlan, events, (plan, sequence) => {
        const doubled = sequence.flatMap((event) => [event, event]);
        const chain = play(plan, doubled, () => undefined);
        const numbers = chain.attempts.map((one) => one.attempt);
        expect(new Set(numbers).size).toBe(numbers.length);
      }),
      runs,
    );
  });

  it('awaits the timer of no attempt whose status ends it', () => {
    const ends = (one: FallbackItem) => STATUSES.filter((value) => endsTimer(one, value));
    fc.assert(
      fc.property(anyItem, fc.nat(200), (one, seconds) => {
        for (const value of ends(one)) {
          const step = nextStep([one], progress({ status: value }), status(value), after(seconds));
          expect(step.do).not.toBe('wait');
          const late = nextStep(
            [one],
            progress({ status: value, successorStarted: step.do === 'start' }),
            timer,
            after(200_000),
          );
          expect(late).toEqual(done);
        }
      }),
      runs,
    );
  });

  it('starts no fallback for a failed attempt without a timer and without the status failed', () => {
    const withoutTimer = anyItem.map((one) => ({ ...one, onTimeout: null, onStatus: [] }));
    const anyEvent = fc.oneof(
      fc.constant(timer),
      fc.constantFrom(...STATUSES).map(status),
      fc.constantFrom('да', 'нет').map((text) => reply(text)),
    );
    fc.assert(
      fc.property(withoutTimer, anyEvent, fc.nat(200_000), (one, event, seconds) => {
        expect(nextStep([one], progress({ status: 'failed' }), event, after(seconds))).toEqual(
          done,
        );
      }),
    );
  });
});

describe('types that are tried when each before them fails', () => {
  const types = ['viber', 'whatsapp', 'sms'];
  it.each([
    [[], ['viber']],
    [[onFailed, onFailed], types],
    [
      [onFailed, onTimer],
      ['viber', 'whatsapp'],
    ],
    [[onTimer, onFailed], ['viber']],
    [[onReply, onFailed], ['viber']],
  ] as [FallbackPlan, string[]][])('%j', (plan, expected) => {
    expect(typesByFailure(types.slice(0, plan.length + 1), plan)).toEqual(expected);
  });
});
