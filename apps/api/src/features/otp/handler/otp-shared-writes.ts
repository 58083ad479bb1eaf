import { Injectable } from '@nestjs/common';
import { otpPrefix, type Locale } from '@heliograph/domain';
import { createHash } from 'node:crypto';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Wakeups } from '../../../core/events/wakeups.ts';
import { Log } from '../../../core/log.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { SealedSendings, type SealedSending } from '../../sendings/sealed-sendings.service.ts';
import { OtpCodes, type RoundCodes } from './otp-codes.ts';
import { otpError } from './otp-errors.ts';
import { OtpLimits } from './otp-limits.service.ts';
import { OtpOutcomes } from './otp-outcomes.ts';
import { resendAfter, type OtpSession } from './otp-session.ts';
import {
  OtpSessionsStore,
  type Confirmation,
  type Guess,
  type NewRound,
  type SessionKey,
} from './otp-sessions.store.ts';
import { OtpSteps } from './otp-steps.ts';

/** A request of a session that may start. */
interface Start {
  OwnerId: string;
  widgetId: string;
  phone: string;
  /** Of the person; null if it is unknown. */
  network: string | null;
  locale: Locale;
  tokenId: string | null;
  /** Of the caller, who may repeat the request when the answer was lost. */
  idempotencyKey: string | null;
  isTest: boolean;
}
type Round = Pick<
  OtpSession,
  'id' | 'OwnerId' | 'phone' | 'steps' | 'firstStep' | 'round' | 'isTest'
> & { tokenId: string | null };
interface TypedGuess extends Guess {
  session: OtpSession;
}
interface RightGuess extends Confirmation {
  session: OtpSession;
}

/** Requests that share a transaction or a statement, and how many of these run at a time, per process. */
const SHARED = { items: 100, calls: 2 };
const MINUTE_SECONDS = 60;
/** After the lifetimes of its channels a session stays open for so long. */
const SPARE_SECONDS = 120;
const MAX_SESSION_SECONDS = 120 * MINUTE_SECONDS;
/** A confirmed session has to be completed within this time. */
const COMPLETE_SECONDS = 15 * MINUTE_SECONDS;

/** The key by which a start is repeated: of its widget, for its number. */
function keyOf(start: Start, id: string): SessionKey | null {
  const { OwnerId, widgetId, phone, idempotencyKey, isTest } = start;
  if (idempotencyKey === null) return null;
  const hash = createHash('sha256').update(phone).digest('hex');
  const key = `${isTest ? 'test ' : ''}${widgetId} ${idempotencyKey}`;
  return { OwnerId, key, hash, id };
}

/** Starts, guesses and confirmations of sessions. Those that arrive together share a transaction. */
@Injectable()
export class OtpSharedWrites {
  readonly starts = this.shared(
    (starts: Start[]) => this.startAll(starts),
    ({ OwnerId, phone }) => `${OwnerId} ${phone}`,
  );
  readonly guesses = this.shared(
    (guesses: TypedGuess[]) => this.takeGuesses(guesses),
    ({ session }) => session.id,
  );
  readonly confirmations = this.shared(
    (guesses: RightGuess[]) => this.endConfirmed(guesses),
    ({ session }) => session.id,
  );

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: OtpSessionsStore,
    private readonly steps: OtpSteps,
    private readonly codes: OtpCodes,
    private readonly limits: OtpLimits,
    private readonly sealed: SealedSendings,
    private readonly wakeups: Wakeups,
    private readonly outcomes: OtpOutcomes,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Sends rounds of codes. One that is refused for lack of funds or by a blacklist is not sent. */
  async send(rounds: Round[]): Promise<(NewRound | AppError)[]> {
    const now = this.clock.now();
    const sendings: SealedSending[] = [];
    const hashesOf: RoundCodes['hashes'][] = [];
    for (const one of rounds) {
      const { OwnerId, phone, steps, firstStep, tokenId, isTest } = one;
      const sent = steps.slice(firstStep);
      const { attempts, hashes } = await this.codes.create(one, sent);
      const seconds = sent.reduce((sum, { lifetime }) => sum + lifetime, SPARE_SECONDS);
      const expiresAt = secondsAfter(now, Math.min(seconds, MAX_SESSION_SECONDS));
      sendings.push({ OwnerId, phone, attempts, expiresAt, tokenId, isTest });
      hashesOf.push(hashes);
    }
    const sent = await this.sealed.send(sendings);
    return sent.map(({ chainId, refusal }, i) => {
      const { firstStep, round } = rounds[i]!;
      if (refusal) return otpError('NoAvailableChannels', { payload: { code: refusal } });
      const { expiresAt } = sendings[i]!;
      const resendAt = resendAfter(now, round);
      return { chainId, firstStep, codeHashes: hashesOf[i]!, resendAt, expiresAt };
    });
  }

  /** Confirms those that are still open, and returns their ids. */
  async confirm(confirmations: Confirmation[]): Promise<string[]> {
    if (!confirmations.length) return [];
    const now = this.clock.now();
    const expiresAt = secondsAfter(now, COMPLETE_SECONDS);
    const ended = await this.store.confirm(confirmations, now, expiresAt);
    await this.outcomes.confirmed(ended);
    const ids = ended.map(({ id }) => id);
    this.db.afterCommit(() => this.wakeups.publish(ids));
    // After the commit, since everyone counts on the same rows. What is lost makes the limit stricter, nothing else.
    this.db.afterCommit(() =>
      this.limits
        .countConfirmed(ended)
        .catch((error: unknown) => this.log.warn({ err: error }, 'Confirmed codes not counted.')),
    );
    return ids;
  }

  /** Starts sessions, each of another number. What is refused counts nowhere and leaves nothing. */
  private async startAll(starts: Start[]): Promise<(string | AppError)[]> {
    const createdAt = this.clock.now();
    const results = new Map<Start, string | AppError>();
    const ids = new Map(starts.map((start) => [start, uuidv7(createdAt)]));
    const keys = new Map(starts.map((start) => [start, keyOf(start, ids.get(start)!)]));
    const claimed = await this.store.claimKeys([...keys.values()].filter((key) => key !== null));
    const firsts = starts.filter((start) => {
      const key = keys.get(start);
      const stored = key && claimed.get(key.key);
      if (!stored || stored.id === key.id) return true;
      const isSame = stored.hash === key.hash;
      results.set(start, isSame ? stored.id : new AppError('idempotency_mismatch'));
      return false;
    });
    const limited = await this.limits.takeSessions(firsts, createdAt);
    const allowed = firsts.filter((start, i) => {
      if (limited[i]) results.set(start, limited[i]);
      return !limited[i];
    });
    const cascades = await this.steps.of(allowed);
    const reachable = allowed.flatMap((start, i) => {
      const steps = cascades[i]!;
      if (!steps.length) results.set(start, otpError('NoAvailableChannels'));
      return steps.length ? { ...start, start, id: ids.get(start)!, steps } : [];
    });
    const rounds = await this.send(reachable.map((one) => ({ ...one, firstStep: 0, round: 0 })));
    const sessions = reachable.flatMap(
      ({ start, id, OwnerId, isTest, widgetId, phone, network, steps }, i) => {
        const round = rounds[i]!;
        results.set(start, round instanceof AppError ? round : id);
        if (round instanceof AppError) return [];
        const prefix = otpPrefix(phone);
        const session = { id, OwnerId, isTest, widgetId, phone, network, prefix, steps };
        return { ...session, createdAt, ...round };
      },
    );
    if (sessions.length) await this.store.insert(sessions);
    for (const { steps } of sessions) this.metrics.otpSession('started', steps[0]!.type);
    const isRefused = (start: Start) => results.get(start) instanceof AppError;
    await this.limits.giveBack(allowed.filter(isRefused), createdAt);
    const refused = firsts.filter(isRefused);
    await this.store.releaseKeys(
      refused.map((start) => keys.get(start)!).filter((key) => key !== null),
    );
    return starts.map((start) => results.get(start)!);
  }

  /** Ends the messages of sessions, and confirms those that are still open. */
  private async endConfirmed(guesses: RightGuess[]): Promise<(null | AppError)[]> {
    await this.sealed.end(guesses.map(({ session }) => session.chainId));
    const ended = new Set(await this.confirm(guesses));
    return guesses.map(({ session }) => (ended.has(session.id) ? null : otpError('SessionClosed')));
  }

  /** The number of each code in its round. A guess that the number may make counts although the session takes no more. */
  private async takeGuesses(guesses: TypedGuess[]): Promise<(number | AppError)[]> {
    const refusals = await this.limits.takeGuesses(guesses.map(({ session }) => session));
    const allowed = guesses.filter((_, i) => !refusals[i]);
    const tries = await this.store.takeTries(allowed, this.clock.now());
    return refusals.map((refusal) => refusal ?? tries.shift() ?? otpError('AttemptsExpired'));
  }

  /** Requests that arrive together share a transaction, those with the same key each another one. */
  private shared<T, R>(
    write: (items: T[]) => Promise<(R | AppError)[]>,
    keyOf: (item: T) => string,
  ): SharedCalls<T, R> {
    return new SharedCalls<T, R>((items) => this.db.transaction(() => write(items)), {
      ...SHARED,
      keyOf,
    });
  }
}
