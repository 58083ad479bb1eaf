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
import { invalid } from '../../../core/errors.ts';
import { Wakeups } from '../../../core/events/wakeups.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { networkOf } from '../../../core/http/visitor.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { Retention } from '../../../core/retention.ts';
import { uuidv7 } from '../../../core/uuid.ts';
import { SealedChanges, type SealedChange } from '../../sendings/sealed-changes.service.ts';
import { SealedSendings } from '../../sendings/sealed-sendings.service.ts';
import type { OtpWidget } from '../settings/otp-widget.entity.ts';
import { OtpWidgetsStore } from '../settings/otp-widgets.store.ts';
import { OtpCaptchas } from './otp-captchas.ts';
import { OtpCodes } from './otp-codes.ts';
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
import { OtpSessionsStore } from './otp-sessions.store.ts';
import { OtpSteps } from './otp-steps.ts';

/** Who calls: a person's browser, or a server with a session or a token. */
export interface OtpCaller {
  actor?: Actor;
  ip: string;
}
type Input = In<typeof otpHandler.create>['body'];

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
    const ofWidget = { OwnerId: widget.OwnerId, widgetId: widget.id };
    await this.limits.refuseBlocked({ ...ofWidget, phone });
    await this.limits.takeRequest({ ...ofWidget, phone, address });
    const isOwn = actor?.OwnerId === widget.OwnerId;
    return this.db.transaction(async () => {
      await this.limits.takeSession({ ...ofWidget, phone });
      const steps = await this.steps.of(ofWidget, phone, locale);
      return this.start(widget, phone, steps, (isOwn && actor.tokenId) || null);
    });
  }

  /** The session, for a caller who may know it. */
  async find(caller: OtpCaller, id: string): Promise<OtpSession> {
    const { actor, ip } = caller;
    const session = await this.store.find(id, actor?.scope ?? systemScope);
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
    await this.limits.takeGuess(session);
    // Counted before the comparison, so that concurrent attempts cannot exceed the limit.
    const tries = await this.store.takeTry(session, step.tries, now);
    if (tries === null) throw otpError('AttemptsExpired');
    if (!(await this.codes.isRight(session, code))) {
      this.wakeups.publish([id]);
      const payload = { remainingCodeAttempts: step.tries - tries };
      throw otpError('InvalidCode', { payload });
    }
    const isConfirmed = await this.db.transaction(async () => {
      await this.sealed.end(session.chainId);
      return this.confirm(session, step.type);
    });
    if (!isConfirmed) throw otpError('SessionClosed');
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
      await this.sealed.end(session.chainId);
      if (!(await this.store.lockRound(id, round)))
        throw otpError('RestartCooldownActive', { payload });
      await this.limits.takeRound(session);
      const steps = session.steps.slice(first);
      const started = await this.send(session, session.steps, first, round + 1, null);
      const restarted = first === stepOf(session) ? first : null;
      await this.store.startRound(id, started, { restarted, type: steps[0]!.type });
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
      await this.sealed.end(session.chainId);
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
        await this.confirm(session, type);
    }
    this.wake(sessions.map(({ id }) => id));
  }

  private async confirm(session: Pick<OtpSession, 'id' | 'round'>, type: string): Promise<boolean> {
    const now = this.clock.now();
    const expiresAt = secondsAfter(now, COMPLETE_SECONDS);
    const ended = await this.store.confirm(session, { type, now, expiresAt });
    if (!ended) return false;
    await this.outcomes.confirmed(ended);
    this.wake([session.id]);
    return true;
  }

  private wake(ids: string[]): void {
    this.db.afterCommit(() => this.wakeups.publish(ids));
  }

  private async openWidget({ actor, ip }: OtpCaller, id: string): Promise<OtpWidget> {
    const [widget] = await this.widgets.byIds(actor?.scope ?? systemScope, [id]);
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

  private async start(
    { id: widgetId, OwnerId }: OtpWidget,
    phone: string,
    steps: OtpStep[],
    tokenId: string | null,
  ): Promise<string> {
    if (!steps.length) throw otpError('NoAvailableChannels');
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt);
    const started = await this.send({ id, OwnerId, phone }, steps, 0, 0, tokenId);
    const prefix = otpPrefix(phone);
    await this.store.insert({ id, OwnerId, widgetId, phone, prefix, steps, createdAt, ...started });
    this.metrics.otpSession('started', steps[0]!.type);
    return id;
  }

  /** Sends a round of codes. A refusal for lack of funds or by a blacklist rolls everything back. */
  private async send(
    { id, OwnerId, phone }: Pick<OtpSession, 'id' | 'OwnerId' | 'phone'>,
    steps: OtpStep[],
    firstStep: number,
    round: number,
    tokenId: string | null,
  ) {
    const now = this.clock.now();
    const sent = steps.slice(firstStep);
    const { attempts, hashes } = await this.codes.create(id, round, sent);
    const seconds = sent.reduce((sum, { lifetime }) => sum + lifetime, SPARE_SECONDS);
    const expiresAt = secondsAfter(now, Math.min(seconds, MAX_SESSION_SECONDS));
    const { chainId, refusal } = await this.sealed.send({
      OwnerId,
      phone,
      attempts,
      expiresAt,
      tokenId,
    });
    if (refusal) throw otpError('NoAvailableChannels', { payload: { code: refusal } });
    return {
      chainId,
      firstStep,
      codeHashes: hashes,
      resendAt: resendAfter(now, round),
      expiresAt,
    };
  }
}

function refuseAddress(ranges: string[], ip: string): void {
  if (ranges.includes(ANY_ADDRESS) || isAllowedAddress(ip, ranges)) return;
  throw otpError('Forbidden', { message: 'The widget is not open to this address' });
}
