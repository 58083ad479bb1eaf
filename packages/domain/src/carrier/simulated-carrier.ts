import type { SendingErrorCode, SendingType } from '../types.ts';
import { hashOf, roll } from './hash.ts';
import type { CarrierProfile, Delay } from './profile.ts';
import type { Script } from './test-numbers.ts';
import { isMessenger, scriptOf } from './test-numbers.ts';

/** A message as a carrier knows it: our reference, the channel type, an E.164 recipient. */
export interface SubmittedMessage {
  reference: string;
  type: SendingType;
  recipient: string;
  text?: string;
}

/** `lost`: taken, but nobody hears of it. `retryAfter` in milliseconds. */
export type SubmitResponse =
  | { result: 'accepted' }
  | { result: 'lost' }
  | { result: 'rejected'; code: SendingErrorCode }
  | { result: 'throttled'; retryAfter: number };

export interface CarrierReport {
  reference: string;
  status: 'processing' | 'sent' | 'delivered' | 'seen' | 'failed';
  code?: SendingErrorCode;
  /** What the carrier noticed on the way: `ported`, `roaming`. */
  note?: string;
  /** When it happened, as the carrier claims. */
  at: Date;
  /** When the carrier says so: later than `at` for what comes out of order. */
  due: Date;
}

export interface CarrierReply {
  reference: string;
  text: string;
  at: Date;
}

export interface CarrierPlan {
  /** In the order in which they are emitted. */
  reports: CarrierReport[];
  reply: CarrierReply | null;
}

/** The numbered questions; see hash.ts for why they are numbered. */
const ROLL = {
  rejected: 0,
  outcome: 1,
  code: 2,
  sent: 3,
  delivered: 4,
  seen: 5,
  seenAfter: 6,
  duplicate: 7,
  disorder: 8,
  reply: 9,
  replyText: 10,
  replyAfter: 11,
  // Tries have no end, so they count on from here.
  throttled: 100,
};

const THROTTLED_FOR = 1_000;
/** How far apart repeated and late reports are emitted. */
const GAP = 200;

const failures: SendingErrorCode[] = ['absent_subscriber', 'undeliverable', 'blocked'];
const replyTexts = ['ok', 'да', 'STOP', 'Кто это?'];

/**
 * What the carrier answers to a message. `tries` is how often it was handed over before: 0 the
 * first time. Only throttling rolls anew at each try, so a message that waits gets through.
 * A carrier that is down takes nothing of a batch; ask `profile.down` first to say it once.
 *
 *     respondToSubmit({ reference: 'a', type: 'sms', recipient: '+79990000006', tries: 0 }, profile, 1)
 *     // { result: 'rejected', code: 'rejected_sender' }
 */
export function respondToSubmit(
  message: SubmittedMessage & { tries: number },
  profile: CarrierProfile,
  seed: string | number,
): SubmitResponse {
  if (profile.down) return { result: 'throttled', retryAfter: 30 * THROTTLED_FOR };
  const script = scriptOf(message.recipient, message.type);
  if (script) return scriptedSubmit(script, message.tries);
  const hash = hashOf(message.reference, seed);
  if (profile.throttled > 0 && roll(hash, ROLL.throttled + message.tries) < profile.throttled) {
    return { result: 'throttled', retryAfter: THROTTLED_FOR };
  }
  if (profile.rejected > 0 && roll(hash, ROLL.rejected) < profile.rejected) {
    return { result: 'rejected', code: 'rejected' };
  }
  return { result: 'accepted' };
}

function scriptedSubmit(script: Script, tries: number): SubmitResponse {
  if (script.rejected) return { result: 'rejected', code: script.rejected };
  if (tries < (script.throttledTries ?? 0)) {
    return { result: 'throttled', retryAfter: THROTTLED_FOR };
  }
  // SubmittedMessage over again, it is a repeat like any other and is answered.
  return script.lost && tries === 0 ? { result: 'lost' } : { result: 'accepted' };
}

/**
 * What becomes of an accepted message: a pure function of its reference, the profile, the seed
 * and the moment of handover, so that any process can work it out again and nothing is lost with
 * the one that took the message. The text does not matter.
 *
 *     planReports({ reference: 'a', type: 'sms', recipient: '+79990000000' }, profile, 1, noon)
 *     // reports: sent at 12:00:00.5, delivered at 12:00:02; reply: null
 */
export function planReports(
  message: SubmittedMessage,
  profile: CarrierProfile,
  seed: string | number,
  submittedAt: Date,
): CarrierPlan {
  const script = scriptOf(message.recipient, message.type);
  return script
    ? scriptedPlan(message.reference, script, submittedAt.getTime())
    : rolledPlan(message, profile, hashOf(message.reference, seed), submittedAt.getTime());
}

function scriptedPlan(reference: string, script: Script, start: number): CarrierPlan {
  const reports = script.steps.map(({ status, after, code, note }) => {
    const report = reportOf(reference, status, start + after, code);
    if (note) report.note = note;
    return report;
  });
  if (script.disorder) disorder(reports);
  if (script.duplicate) duplicate(reports);
  const { reply } = script;
  return {
    reports,
    reply: reply ? { reference, text: reply.text, at: new Date(start + reply.after) } : null,
  };
}

function rolledPlan(
  message: SubmittedMessage,
  p: CarrierProfile,
  hash: number,
  start: number,
): CarrierPlan {
  const { reference, type } = message;
  const outcome = roll(hash, ROLL.outcome);
  const failed = outcome < p.failed;
  const temporary = !failed && outcome < p.failed + p.temporary;
  if (!failed && !temporary && outcome < p.failed + p.temporary + p.silent) {
    return { reports: [], reply: null };
  }

  const sentAt = start + within(p.sentDelay, roll(hash, ROLL.sent));
  const endedAt = sentAt + within(p.deliveredDelay, roll(hash, ROLL.delivered));
  const reports = [reportOf(reference, 'sent', sentAt)];
  let reply: CarrierReply | null = null;
  if (failed) {
    reports.push(reportOf(reference, 'failed', endedAt, failureOf(type, roll(hash, ROLL.code))));
  } else if (temporary) {
    reports.push(reportOf(reference, 'failed', endedAt, 'temporary'));
  } else {
    reports.push(reportOf(reference, 'delivered', endedAt));
    if (p.seen > 0 && tellsSeen(type) && roll(hash, ROLL.seen) < p.seen) {
      const seenAt = endedAt + within(p.seenDelay, roll(hash, ROLL.seenAfter));
      reports.push(reportOf(reference, 'seen', seenAt));
    }
    if (p.replies > 0 && canReply(type) && roll(hash, ROLL.reply) < p.replies) {
      reply = {
        reference,
        text: replyTexts[Math.floor(roll(hash, ROLL.replyText) * replyTexts.length)]!,
        at: new Date(endedAt + within(p.seenDelay, roll(hash, ROLL.replyAfter))),
      };
    }
  }
  if (p.disorder > 0 && roll(hash, ROLL.disorder) < p.disorder) disorder(reports);
  if (p.duplicates > 0 && roll(hash, ROLL.duplicate) < p.duplicates) duplicate(reports);
  return { reports, reply };
}

function reportOf(
  reference: string,
  status: CarrierReport['status'],
  time: number,
  code?: SendingErrorCode,
): CarrierReport {
  // One Date for both: plans are made by the hundred thousand.
  const at = new Date(time);
  return code ? { reference, status, code, at, due: at } : { reference, status, at, due: at };
}

function within([from, to]: Delay, rolled: number): number {
  return from + Math.floor(rolled * (to - from + 1));
}

function failureOf(type: string, rolled: number): SendingErrorCode {
  // Most of what fails on a messenger fails because nobody is there.
  if (isMessenger(type) && rolled < 0.7) return 'not_a_user';
  return failures[Math.floor(rolled * failures.length)]!;
}

function tellsSeen(type: string): boolean {
  return type === 'email' || type === 'push' || isMessenger(type);
}

function canReply(type: string): boolean {
  return type === 'sms' || type === 'mms' || (type !== 'telegramcode' && isMessenger(type));
}

/** The last report comes first, when it happened; what happened before is told after it. */
function disorder(reports: CarrierReport[]): void {
  reports.reverse();
  const first = reports[0]!.due.getTime();
  for (let i = 1; i < reports.length; i++) reports[i]!.due = new Date(first + i * GAP);
}

function duplicate(reports: CarrierReport[]): void {
  const last = reports.at(-1)!;
  reports.push({ ...last, due: new Date(last.due.getTime() + GAP) });
}
