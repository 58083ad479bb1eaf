import type {
  CarrierReply,
  CarrierReport,
  NumberLookup,
  SendingErrorCode,
  SendingType,
} from '@heliograph/domain';
import { hashOf, roll } from './hash.ts';
import type { CarrierProfile, Delay } from './profile.ts';
import type { Script } from './test-numbers.ts';
import { isMessenger, scriptOf } from './test-numbers.ts';

/** A submitted message: the reference of the platform, the channel type and the recipient in E.164. */
export interface SubmittedMessage {
  reference: string;
  type: SendingType;
  recipient: string;
  text?: string;
}

/** `lost`: accepted, but the response is lost. `retryAfter` is in milliseconds. */
export type SubmitResponse =
  | { result: 'accepted' }
  | { result: 'lost' }
  | { result: 'rejected'; code: SendingErrorCode }
  | { result: 'throttled'; retryAfter: number };

export interface CarrierPlan {
  /** In the order in which they are sent. */
  reports: CarrierReport[];
  reply: CarrierReply | null;
}

/** Numbers of the random decisions; see hash.ts. */
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
  seconds: 12,
  // The number of attempts is not limited: they use the numbers from here on.
  throttled: 100,
};

const THROTTLE_MS = 1_000;
/** Interval between repeated and late reports. */
const REPORT_INTERVAL_MS = 200;

/** For how long test numbers listen to a call, and others at most. */
const SCRIPTED_SECONDS = 7;
const MAX_SECONDS = 60;

const failures: SendingErrorCode[] = ['absent_subscriber', 'undeliverable', 'blocked'];
const replyTexts = ['ok', 'да', 'STOP', 'Кто это?'];

/**
 * The response of the carrier to a submitted message. `tries` is the number of previous submissions. Only throttling is decided
 * anew for each of them, so that a throttled message is accepted later. A carrier with `down` accepts no messages; callers can
 * check `profile.down` to refuse a whole batch.
 *
 *     respondToSubmit({ reference: 'a', type: 'sms', recipient: '+79990000006', tries: 0 }, profile, 1)
 *     // { result: 'rejected', code: 'rejected_sender' }
 */
export function respondToSubmit(
  message: SubmittedMessage & { tries: number },
  profile: CarrierProfile,
  seed: string | number,
): SubmitResponse {
  if (profile.down) return { result: 'throttled', retryAfter: 30 * THROTTLE_MS };
  const script = scriptOf(message.recipient, message.type);
  if (script) return respondByScript(script, message.tries);
  const hash = hashOf(message.reference, seed);
  if (profile.throttled > 0 && roll(hash, ROLL.throttled + message.tries) < profile.throttled) {
    return { result: 'throttled', retryAfter: THROTTLE_MS };
  }
  if (profile.rejected > 0 && roll(hash, ROLL.rejected) < profile.rejected) {
    return { result: 'rejected', code: 'rejected' };
  }
  return { result: 'accepted' };
}

function respondByScript(script: Script, tries: number): SubmitResponse {
  if (script.rejected) return { result: 'rejected', code: script.rejected };
  if (tries < (script.throttledTries ?? 0)) {
    return { result: 'throttled', retryAfter: THROTTLE_MS };
  }
  // Only the first response is lost: a repeated submission is answered.
  return script.lost && tries === 0 ? { result: 'lost' } : { result: 'accepted' };
}

/**
 * The reports and the reply of an accepted message. A pure function of its reference, type, recipient, the profile, the seed and
 * the time of submission: any process can compute them again after a restart. The text has no effect.
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
    ? scriptedPlan(message, script, submittedAt.getTime())
    : rolledPlan(message, profile, hashOf(message.reference, seed), submittedAt.getTime());
}

function scriptedPlan(
  { reference, type, recipient }: SubmittedMessage,
  script: Script,
  start: number,
): CarrierPlan {
  const reports = script.steps.map(({ status, after, code, note }) => {
    const report = reportOf(reference, status, start + after, code);
    if (note) report.note = note;
    if (type === 'hlr' && status === 'delivered') report.lookup = lookupOf(recipient, note);
    if (type === 'voice' && status === 'delivered') report.seconds = SCRIPTED_SECONDS;
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
  const { reference, type, recipient } = message;
  const outcome = roll(hash, ROLL.outcome);
  const failed = outcome < p.failed;
  const temporary = !failed && outcome < p.failed + p.temporary;
  if (!failed && !temporary && outcome < p.failed + p.temporary + p.silent) {
    return { reports: [], reply: null };
  }

  const sentAt = start + delayWithin(p.sentDelay, roll(hash, ROLL.sent));
  const endedAt = sentAt + delayWithin(p.deliveredDelay, roll(hash, ROLL.delivered));
  const reports = [reportOf(reference, 'sent', sentAt)];
  let reply: CarrierReply | null = null;
  if (failed) {
    reports.push(reportOf(reference, 'failed', endedAt, failureOf(type, roll(hash, ROLL.code))));
  } else if (temporary) {
    reports.push(reportOf(reference, 'failed', endedAt, 'temporary'));
  } else {
    const delivered = reportOf(reference, 'delivered', endedAt);
    if (type === 'hlr') delivered.lookup = lookupOf(recipient);
    if (type === 'voice')
      delivered.seconds = 1 + Math.floor(roll(hash, ROLL.seconds) * MAX_SECONDS);
    reports.push(delivered);
    if (p.seen > 0 && hasReadReports(type) && roll(hash, ROLL.seen) < p.seen) {
      const seenAt = endedAt + delayWithin(p.seenDelay, roll(hash, ROLL.seenAfter));
      reports.push(reportOf(reference, 'seen', seenAt));
    }
    if (p.replies > 0 && canReply(type) && roll(hash, ROLL.reply) < p.replies) {
      reply = {
        reference,
        text: replyTexts[Math.floor(roll(hash, ROLL.replyText) * replyTexts.length)]!,
        at: new Date(endedAt + delayWithin(p.seenDelay, roll(hash, ROLL.replyAfter))),
      };
    }
  }
  if (p.disorder > 0 && roll(hash, ROLL.disorder) < p.disorder) disorder(reports);
  if (p.duplicates > 0 && roll(hash, ROLL.duplicate) < p.duplicates) duplicate(reports);
  return { reports, reply };
}

/** Networks of Russia, in which the numbers of this carrier are. */
const NETWORKS = ['25001', '25002', '25020', '25099'];

/** The same number is always in the same network. One in five was taken there from another, unless a test number says so. */
function lookupOf(recipient: string, note?: string): NumberLookup {
  const hash = hashOf(recipient, 'lookup');
  const origin = Math.floor(roll(hash, ROLL.outcome) * NETWORKS.length);
  const ported = note === undefined ? roll(hash, ROLL.code) < 0.2 : note === 'ported';
  const network = ported ? (origin + 1) % NETWORKS.length : origin;
  return {
    network: NETWORKS[network]!,
    origin: NETWORKS[origin]!,
    ported,
    roaming: note === 'roaming',
  };
}

function reportOf(
  reference: string,
  status: CarrierReport['status'],
  time: number,
  code?: SendingErrorCode,
): CarrierReport {
  // One Date object for both: benchmarks create hundreds of thousands of plans.
  const at = new Date(time);
  return code ? { reference, status, code, at, due: at } : { reference, status, at, due: at };
}

function delayWithin([from, to]: Delay, rolled: number): number {
  return from + Math.floor(rolled * (to - from + 1));
}

function failureOf(type: string, rolled: number): SendingErrorCode {
  // On messengers, most failures are recipients without an account.
  if (isMessenger(type) && rolled < 0.7) return 'not_a_user';
  return failures[Math.floor(rolled * failures.length)]!;
}

function hasReadReports(type: string): boolean {
  return type === 'email' || type === 'push' || isMessenger(type);
}

function canReply(type: string): boolean {
  return type === 'sms' || type === 'mms' || (type !== 'telegramcode' && isMessenger(type));
}

/** Reverses the reports: the last one is sent at its own time, the earlier ones after it. */
function disorder(reports: CarrierReport[]): void {
  reports.reverse();
  const first = reports[0]!.due.getTime();
  for (let i = 1; i < reports.length; i++)
    reports[i]!.due = new Date(first + i * REPORT_INTERVAL_MS);
}

function duplicate(reports: CarrierReport[]): void {
  const last = reports.at(-1)!;
  reports.push({ ...last, due: new Date(last.due.getTime() + REPORT_INTERVAL_MS) });
}
