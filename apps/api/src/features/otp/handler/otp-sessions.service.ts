import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { otpHandler, OtpPublicWidget } from '@heliograph/contract';
import {
  isCodeless,
  normalizePhone,
  otpPrefix,
  phoneCountry,
  STATUS_CODES,
  typeOf,
  type Locale,
} from '@heliograph/domain';
import type * as z from 'zod';
import { ANY_ADDRESS, isAllowedAddress } from '../../../core/auth/addresses.ts';
import { systemScope, type Actor } from '../../../core/auth/actor.ts';
import { Clock, secondsAfter } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import { Wakeups } from '../../../core/events/wakeups.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { networkOf } from '../../../core/http/visitor.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { Retention } from '../../../core/retention.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { SealedChanges, type SealedChange } from '../../sendings/sealed-changes.service.ts';
import { SealedSendings, type SealedSending } from '../../sendings/sealed-sendings.service.ts';
import type { OtpWidget } from '../settings/otp-widget.entity.ts';
import { OtpWidgetsStore } from '../settings/otp-widgets.store.ts';
import { OtpCaptchas } from './otp-captchas.ts';
import { OtpCodes, type RoundCodes } from './otp-codes.ts';
import { otpError } from './otp-errors.ts';
import { OtpLimits } from './otp-limits.ts';
import { OtpOutcomes } from './otp-outcomes.ts';
import {
  nextRound,
  resendAfter,
  SESSION_STATES,
  stepOf,
  viewOf,
  type OtpSession,
  type OtpStep,
} from './otp-session.ts';
import {
  OtpSessionsStore,
  type Confirmation,
  type Guess,
  type NewRound,
} from './otp-sessions.store.ts';
import { OtpSteps } from './otp-steps.ts';

/** Who calls: a person's browser, or a server with a session or a token. */
export interface OtpCaller {
  actor?: Actor;
  ip: string;
}
type Input = In<typeof otpHandler.create>['body'];

/** A request of a session that may start. */
interface Start {
  OwnerId: string;
  widgetId: string;
  phone: string;
  locale: Locale;
  tokenId: string | null;
}
type Round = Pick<OtpSession, 'id' | 'OwnerId' | 'phone' | 'steps' | 'firstStep' | 'round'> & {
  tokenId: string | null;
};
interface TypedGuess extends Guess {
  session: OtpSession;
}
interface RightGuess extends Confirmation {
  session: OtpSession;
}

/** Requests that share a transaction or a statement, and how many of these run at a time, per process. */
const MAX_GROUP_SIZE = 100;
const MAX_CONCURRENT_CALLS = 2;
const READS = { items: MAX_GROUP_SIZE, calls: MAX_CONCURRENT_CALLS };
const MINUTE_SECONDS = 60;
/** After the lifetimes of its channels a session stays open for so long. */
const SPARE_SECONDS = 120;
const MAX_SESSION_SECONDS = 120 * MINUTE_SECONDS;
/** A confirmed session has to be completed within this time. */
const COMPLETE_SECONDS = 15 * MINUTE_SECONDS;
const EXPIRE_BATCH_SIZE = 200;

/** Sessions of one-time codes, from the request of a code to its confirmation. docs/decisions/043-one-time-codes.md. */
@Injectable()
export class OtpSessionsService implements OnModuleInit {
  /** By those who call without a token. */
  private readonly widgetReads = new SharedCalls(
    (ids: string[]) => this.inOrder(ids, this.widgets.byIds(systemScope, ids)),
    READS,
  );
  private readonly sessionReads = new SharedCalls(
    (ids: string[]) => this.inOrder(ids, this.store.byIds(ids)),
    READS,
  );
  private readonly starts = this.shared(
    (starts: Start[]) => this.startAll(starts),
    ({ OwnerId, phone }) => `${OwnerId} ${phone}`,
  );
  private readonly guesses = this.shared(
    (guesses: TypedGuess[]) => this.takeGuesses(guesses),
    ({ session }) => session.id,
  );
  private readonly confirmations = this.shared(
    (guesses: RightGuess[]) => this.endConfirmed(guesses),
    ({ session }) => session.id,
  );

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: OtpSessionsStore,
    private readonly widgets: OtpWidgetsStore,
    private readonly steps: OtpSteps,
    private readonly codes: OtpCodes,
    private readonly limits: OtpLimits,
    private readonly captchas: OtpCaptchas,
    private readonly sealed: SealedSendings,
    private readonly changes: SealedChanges,
    private readonly wakeups: Wakeups,
    private readonly outcomes: OtpOutcomes,
    private readonly metrics: Metrics,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    this.changes.listen((changes) => this.onChanges(changes));
  }

  async widget(caller: OtpCaller, widgetId: string): Promise<z.input<typeof OtpPublicWidget>> {
    const widget = await this.openWidget(caller, widgetId);
    const { name, isActive, isBlocked, captchaIsRequired, captchaProvider, styles } = widget;
    return {
      name,
      isActive,
      isBlocked,
      captchaIsRequired,
      captchaProvider,
      captchaSiteKey: this.captchas.siteKey(captchaProvider),
      styles,
      country: await this.sealed.countryOf(widget.OwnerId),
    };
  }

  async challenge(caller: OtpCaller, widgetId: string) {
    await this.openWidget(caller, widgetId);
    return this.captchas.challenge();
  }

  async create(caller: OtpCaller, input: Input, locale: Locale): Promise<string> {
    const { actor } = caller;
    const ip = (actor && input.ip) ?? caller.ip;
    const widget = await this.openWidget({ ...caller, ip }, input.widgetId);
    if (widget.isBlocked) throw otpError('WidgetIsBlocked');
    if (!widget.isActive) throw otpError('Forbidden', { message: 'The widget is switched off' });
    const phone = await this.phoneOf(widget, input.recipient);
    // The address of a customer's server says nothing about the person.
    const address = actor && !input.ip ? null : networkOf(ip);
    await this.requireCaptcha(widget, input.captchaToken ?? input.captcha, { ip, address });
    const request = { OwnerId: widget.OwnerId, widgetId: widget.id, phone };
    await this.limits.takeRequest({ ...request, address });
    const isOwn = actor?.OwnerId === widget.OwnerId;
    return this.starts.add({ ...request, locale, tokenId: (isOwn && actor.tokenId) || null });
  }

  /** The session, for a caller who may know it. */
  async find(caller: OtpCaller, id: string): Promise<OtpSession> {
    const { actor, ip } = caller;
    const session = await (actor ? this.store.find(id, actor.scope) : this.sessionReads.add(id));
    if (!session) throw otpError('SessionNotFound');
    if (!actor) refuseAddress(session.ipWhitelist, ip);
    return session;
  }

  async checkCode(caller: OtpCaller, id: string, code: string): Promise<void> {
    const session = await this.find(caller, id);
    const now = this.clock.now();
    if (session.state === SESSION_STATES.confirmed) throw otpError('SessionAlreadyConfirmed');
    const { error } = viewOf(session, now);
    if (error) throw otpError(error.type, { payload: error.payload });
    const step = session.steps[stepOf(session)]!;
    if (isCodeless(step.type)) throw otpError('IsCodelessChannel');
    // Counted before the comparison, so that concurrent attempts cannot exceed the limit.
    const tries = await this.guesses.add({ session, maxTries: step.tries });
    if (!(await this.codes.isRight(session, code))) {
      this.wakeups.publish([id]);
      const payload = { remainingCodeAttempts: step.tries - tries };
      throw otpError('InvalidCode', { payload });
    }
    await this.confirmations.add({ session, type: step.type });
  }

  /** Another code, over the same channel or the next one. */
  async resend(caller: OtpCaller, id: string): Promise<void> {
    const session = await this.find(caller, id);
    const now = this.clock.now();
    const { state, expiresAt, resendAt, round } = session;
    if (state === SESSION_STATES.confirmed) throw otpError('SessionAlreadyConfirmed');
    if (state !== SESSION_STATES.open || expiresAt <= now) throw otpError('SessionClosed');
    const payload = { resendAt: resendAt.toISOString() };
    if (resendAt > now) throw otpError('RestartCooldownActive', { payload });
    const first = nextRound(session);
    if (first === null) throw otpError('AttemptsExpired');
    await this.db.transaction(async () => {
      await this.sealed.end([session.chainId]);
      if (!(await this.store.lockRound(id, round)))
        throw otpError('RestartCooldownActive', { payload });
      await this.limits.takeRound(session);
      const steps = session.steps.slice(first);
      const next = { ...session, firstStep: first, round: round + 1, tokenId: null };
      const [started] = await this.send([next]);
      if (started instanceof AppError) throw started;
      const restarted = first === stepOf(session) ? first : null;
      await this.store.startRound(id, started!, { restarted, type: steps[0]!.type });
      this.wake([id]);
    });
  }

  async status(caller: OtpCaller, id: string, recipient: string): Promise<boolean> {
    const session = await this.find(caller, id);
    await this.requireRecipient(session, recipient);
    return session.state === SESSION_STATES.confirmed;
  }

  /** Closes a session, confirmed or not. */
  async complete(caller: OtpCaller, id: string): Promise<void> {
    const session = await this.find(caller, id);
    await this.db.transaction(async () => {
      await this.sealed.end([session.chainId]);
      const ended = await this.store.close(id, 'closed');
      if (ended) await this.outcomes.failed([ended], 'closed');
      this.wake([id]);
    });
  }

  async checkStatusAndComplete(caller: OtpCaller, id: string, recipient: string): Promise<void> {
    const session = await this.find(caller, id);
    await this.requireRecipient(session, recipient);
    if (!(await this.store.complete(id, session.phone, this.clock.now())))
      throw otpError(
        session.state === SESSION_STATES.open ? 'SessionNotConfirmed' : 'SessionClosed',
      );
    this.wakeups.publish([id]);
  }

  /** Throws unless the number is that of the session, in any format. */
  async requireRecipient({ OwnerId, phone }: OtpSession, recipient: string): Promise<void> {
    const given = normalizePhone(recipient, await this.sealed.countryOf(OwnerId));
    if (given !== phone) throw otpError('PhoneNumberMismatch');
  }

  @Sweeps(5000)
  expire(): Promise<boolean> {
    return this.db.transaction(async () => {
      const ended = await this.store.expire(this.clock.now(), EXPIRE_BATCH_SIZE);
      await this.outcomes.failed(ended, 'expired');
      this.wake(ended.map(({ id }) => id));
      return ended.length === EXPIRE_BATCH_SIZE;
    });
  }

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('otp_sessions', this.config.RETENTION_OTP_DAYS);
  }

  /** The engine reports about the messages of sessions, in the transaction of the change. */
  private async onChanges(changes: SealedChange[]): Promise<void> {
    const chainOf = ({ id, chainId }: SealedChange) => chainId ?? id;
    const sessions = await this.store.ofChains(changes.map(chainOf));
    const byChain = new Map(sessions.map((session) => [session.chainId, session]));
    for (const change of changes) {
      const session = byChain.get(chainOf(change));
      if (!session) continue;
      const type = typeOf(change.type) as OtpStep['type'];
      if (change.isSent) await this.store.countSent(session.id, type);
      // The person has confirmed on the phone.
      if (isCodeless(type) && change.status === STATUS_CODES.seen)
        await this.confirm([{ session, type }]);
    }
    this.wake(sessions.map(({ id }) => id));
  }

  /** Ends the messages of sessions, and confirms those that are still open. */
  private async endConfirmed(guesses: RightGuess[]): Promise<(null | AppError)[]> {
    await this.sealed.end(guesses.map(({ session }) => session.chainId));
    const ended = new Set(await this.confirm(guesses));
    return guesses.map(({ session }) => (ended.has(session.id) ? null : otpError('SessionClosed')));
  }

  /** Returns the ids of those that were still open. */
  private async confirm(confirmations: Confirmation[]): Promise<string[]> {
    const now = this.clock.now();
    const expiresAt = secondsAfter(now, COMPLETE_SECONDS);
    const ended = await this.store.confirm(confirmations, now, expiresAt);
    await this.outcomes.confirmed(ended);
    const ids = ended.map(({ id }) => id);
    this.wake(ids);
    return ids;
  }

  /** The number of each code in its round. A guess that the number may make counts although the session takes no more. */
  private async takeGuesses(guesses: TypedGuess[]): Promise<(number | AppError)[]> {
    const refusals = await this.limits.takeGuesses(guesses.map(({ session }) => session));
    const allowed = guesses.filter((_, i) => !refusals[i]);
    const tries = await this.store.takeTries(allowed, this.clock.now());
    return refusals.map((refusal) => refusal ?? tries.shift() ?? otpError('AttemptsExpired'));
  }

  /** The rows of ids; null for those that do not exist. */
  private async inOrder<R extends { id: string }>(
    ids: string[],
    read: Promise<R[]>,
  ): Promise<(R | null)[]> {
    const rows = new Map((await read).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id.toLowerCase()) ?? null);
  }

  /** Requests that arrive together share a transaction, those with the same key each another one. */
  private shared<T, R>(
    write: (items: T[]) => Promise<(R | AppError)[]>,
    keyOf: (item: T) => string,
  ): SharedCalls<T, R> {
    return new SharedCalls<T, R>((items) => this.db.transaction(() => write(items)), {
      items: MAX_GROUP_SIZE,
      calls: MAX_CONCURRENT_CALLS,
      keyOf,
    });
  }

  private wake(ids: string[]): void {
    this.db.afterCommit(() => this.wakeups.publish(ids));
  }

  private async openWidget({ actor, ip }: OtpCaller, id: string): Promise<OtpWidget> {
    const widget = actor
      ? (await this.widgets.byIds(actor.scope, [id]))[0]
      : await this.widgetReads.add(id);
    if (!widget) throw otpError('WidgetNotFound');
    refuseAddress(widget.ipWhitelist, ip);
    return widget;
  }

  private async phoneOf({ OwnerId, countries }: OtpWidget, text: string): Promise<string> {
    const country = await this.sealed.countryOf(OwnerId);
    const phone = normalizePhone(text, country);
    if (!phone) throw invalid('recipient', 'phone', 'This is not a phone number.');
    if (!(countries ?? [country]).includes(phoneCountry(phone) ?? ''))
      throw otpError('Forbidden', { message: 'The widget sends no codes to this country' });
    return phone;
  }

  private async requireCaptcha(
    { id, captchaIsRequired, captchaProvider, captchaFirstFreeRequestsPerIp }: OtpWidget,
    answer: string | undefined,
    { ip, address }: { ip: string; address: string | null },
  ): Promise<void> {
    if (!captchaIsRequired) return;
    const free = captchaFirstFreeRequestsPerIp ?? 0;
    const mayBeFree = answer === undefined && address !== null && free > 0;
    if (mayBeFree && (await this.limits.isFree(id, address, free))) return;
    await this.captchas.require(captchaProvider, answer, ip);
  }

  /** Starts sessions, each of another number. What is refused counts nowhere and leaves nothing. */
  private async startAll(starts: Start[]): Promise<(string | AppError)[]> {
    const createdAt = this.clock.now();
    const results = new Map<Start, string | AppError>();
    const limited = await this.limits.takeSessions(starts, createdAt);
    const allowed = starts.filter((start, i) => {
      if (limited[i]) results.set(start, limited[i]);
      return !limited[i];
    });
    const cascades = await this.steps.of(allowed);
    const reachable = allowed.flatMap((start, i) => {
      const steps = cascades[i]!;
      if (!steps.length) results.set(start, otpError('NoAvailableChannels'));
      return steps.length ? { ...start, start, id: uuidv7(createdAt), steps } : [];
    });
    const rounds = await this.send(reachable.map((one) => ({ ...one, firstStep: 0, round: 0 })));
    const sessions = reachable.flatMap(({ start, id, OwnerId, widgetId, phone, steps }, i) => {
      const round = rounds[i]!;
      results.set(start, round instanceof AppError ? round : id);
      if (round instanceof AppError) return [];
      const prefix = otpPrefix(phone);
      return { id, OwnerId, widgetId, phone, prefix, steps, createdAt, ...round };
    });
    if (sessions.length) await this.store.insert(sessions);
    for (const { steps } of sessions) this.metrics.otpSession('started', steps[0]!.type);
    await this.limits.giveBack(
      allowed.filter((start) => results.get(start) instanceof AppError),
      createdAt,
    );
    return starts.map((start) => results.get(start)!);
  }

  /** Sends rounds of codes. One that is refused for lack of funds or by a blacklist is not sent. */
  private async send(rounds: Round[]): Promise<(NewRound | AppError)[]> {
    const now = this.clock.now();
    const sendings: SealedSending[] = [];
    const hashesOf: RoundCodes['hashes'][] = [];
    for (const { id, OwnerId, phone, steps, firstStep, round, tokenId } of rounds) {
      const sent = steps.slice(firstStep);
      const { attempts, hashes } = await this.codes.create(id, round, sent);
      const seconds = sent.reduce((sum, { lifetime }) => sum + lifetime, SPARE_SECONDS);
      const expiresAt = secondsAfter(now, Math.min(seconds, MAX_SESSION_SECONDS));
      sendings.push({ OwnerId, phone, attempts, expiresAt, tokenId });
      hashesOf.push(hashes);
    }
    const sent = await this.sealed.send(sendings);
    return sent.map(({ chainId, refusal, isCounted }, i) => {
      const { firstStep, round } = rounds[i]!;
      if (refusal) {
        const error = otpError('NoAvailableChannels', { payload: { code: refusal } });
        // The count is taken back by a rollback.
        if (isCounted) throw error;
        return error;
      }
      const { expiresAt } = sendings[i]!;
      const resendAt = resendAfter(now, round);
      return { chainId, firstStep, codeHashes: hashesOf[i]!, resendAt, expiresAt };
    });
  }
}

function refuseAddress(ranges: string[], ip: string): void {
  if (ranges.includes(ANY_ADDRESS) || isAllowedAddress(ip, ranges)) return;
  throw otpError('Forbidden', { message: 'The widget is not open to this address' });
}
