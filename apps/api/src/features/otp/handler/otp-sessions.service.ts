import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EFFECTS, type otpHandler, type OtpPublicWidget } from '@heliograph/contract';
import {
  isCodeless,
  isTestNumber,
  normalizePhone,
  phoneCountry,
  STATUS_CODES,
  typeOf,
  type Locale,
} from '@heliograph/domain';
import type * as z from 'zod';
import { ActingTokens } from '../../../core/auth/acting-tokens.ts';
import { ANY_ADDRESS, isAllowedAddress } from '../../../core/auth/addresses.ts';
import { systemScope, type Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { Config } from '../../../core/config.ts';
import { Db } from '../../../core/db/db.ts';
import { AppError, invalid } from '../../../core/errors.ts';
import { Wakeups } from '../../../core/events/wakeups.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { RequestRates } from '../../../core/http/request-rates.ts';
import { networkOf } from '../../../core/http/visitor.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Notifications } from '../../../core/notifications.ts';
import { Retention } from '../../../core/retention.ts';
import { SharedCalls } from '../../../core/shared-calls.ts';
import { SealedChanges, type SealedChange } from '../../sendings/sealed-changes.service.ts';
import { SealedSendings } from '../../sendings/sealed-sendings.service.ts';
import type { OtpWidget } from '../settings/otp-widget.entity.ts';
import { OtpWidgetsStore } from '../settings/otp-widgets.store.ts';
import { OtpCaptchas } from './otp-captchas.service.ts';
import { OtpCodes } from './otp-codes.ts';
import { otpError } from './otp-errors.ts';
import { OtpLimits } from './otp-limits.service.ts';
import { OtpOutcomes } from './otp-outcomes.ts';
import {
  nextRound,
  SESSION_STATES,
  stepOf,
  viewOf,
  type OtpSession,
  type OtpStep,
} from './otp-session.ts';
import { OtpSessionsStore } from './otp-sessions.store.ts';
import { OtpSharedWrites } from './otp-shared-writes.ts';

/** Who calls: a person's browser, or a server with a session or a token. */
export interface OtpCaller {
  actor?: Actor;
  ip: string;
}
type Input = In<typeof otpHandler.create>['body'];

const EXPIRE_BATCH_SIZE = 200;
/** Visitors whose widgets or sessions are read by one statement, one statement at a time. */
const SHARED_READS = { items: 100, calls: 1 };

/** Sessions of one-time codes, from the request of a code to its confirmation. docs/decisions/043-one-time-codes.md. */
@Injectable()
export class OtpSessionsService implements OnModuleInit {
  /** By those who call without a token. */
  private readonly widgetReads = new SharedCalls(
    (ids: string[]) => this.inOrder(ids, this.widgets.byIds(systemScope, ids)),
    SHARED_READS,
  );
  private readonly permissionReads = new SharedCalls(async (widgets: OtpWidget[]) => {
    const mayAct = await this.tokens.of(widgets);
    return widgets.map((widget) => mayAct(widget, EFFECTS.widget.code));
  }, SHARED_READS);
  private readonly sessionReads = new SharedCalls(
    (ids: string[]) => this.inOrder(ids, this.store.byIds(ids)),
    SHARED_READS,
  );

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: OtpSessionsStore,
    private readonly widgets: OtpWidgetsStore,
    private readonly writes: OtpSharedWrites,
    private readonly codes: OtpCodes,
    private readonly limits: OtpLimits,
    private readonly captchas: OtpCaptchas,
    private readonly sealed: SealedSendings,
    private readonly changes: SealedChanges,
    private readonly wakeups: Wakeups,
    private readonly outcomes: OtpOutcomes,
    private readonly retention: Retention,
    private readonly tokens: ActingTokens,
    private readonly notifications: Notifications,
    private readonly rates: RequestRates,
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
    const isTest = actor?.isTest ?? false;
    const ip = (actor && input.ip) ?? caller.ip;
    const widget = await this.openWidget({ ...caller, ip }, input.widgetId);
    if (widget.isBlocked) throw otpError('WidgetIsBlocked');
    if (!widget.isActive) throw isOff();
    if (widget.TokenId && !(await this.permissionReads.add(widget))) {
      await this.stop(widget);
      throw isOff();
    }
    const phone = await this.phoneOf(widget, input.recipient, isTest);
    // The network of a customer's server says nothing about the person.
    const network = actor && !input.ip ? null : networkOf(ip);
    if (!isTest)
      await this.requireCaptcha(widget, input.captchaToken ?? input.captcha, { ip, network });
    const request = { OwnerId: widget.OwnerId, widgetId: widget.id, phone, network, isTest };
    this.countTest(request);
    await this.limits.takeRequest(request);
    const isOwn = actor?.OwnerId === widget.OwnerId;
    const tokenId = ((isOwn || isTest) && actor?.tokenId) || widget.TokenId;
    const idempotencyKey = input.idempotencyKey ?? null;
    return this.sent(
      request,
      this.writes.starts.add({ ...request, locale, tokenId, idempotencyKey }),
    );
  }

  /** The session, for a caller who may know it. */
  async find(caller: OtpCaller, id: string): Promise<OtpSession> {
    const { actor, ip } = caller;
    const session = await (actor ? this.store.find(id, actor.scope) : this.sessionReads.add(id));
    // A program with a real token believes that a number is a person's.
    const isOther = actor && session?.isTest !== (actor.isTest ?? false);
    if (!session || isOther) throw otpError('SessionNotFound');
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
    const tries = await this.writes.guesses.add({ session, maxTries: step.tries });
    if (!(await this.codes.isRight(session, code))) {
      this.wakeups.publish([id]);
      const payload = { remainingCodeAttempts: step.tries - tries };
      throw otpError('InvalidCode', { payload });
    }
    await this.writes.confirmations.add({ session, type: step.type });
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
    this.countTest(session);
    await this.limits.takeResend(session);
    const restart = async () => {
      await this.sealed.end([session.chainId]);
      if (!(await this.store.lockRound(id, round)))
        throw otpError('RestartCooldownActive', { payload });
      await this.limits.takeRound(session);
      const steps = session.steps.slice(first);
      const tokenId = await this.store.tokenOf(session.chainId);
      const next = { ...session, firstStep: first, round: round + 1, tokenId };
      const [started] = await this.writes.send([next]);
      if (started instanceof AppError) throw started;
      const restarted = first === stepOf(session) ? first : null;
      await this.store.startRound(id, started!, { restarted, type: steps[0]!.type });
      this.wake([id]);
    };
    await this.sent(session, this.db.transaction(restart));
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
    const changed = changes.flatMap((change) => {
      const session = byChain.get(chainOf(change));
      return session ? [{ ...change, session, type: typeOf(change.type) as OtpStep['type'] }] : [];
    });
    await this.store.countSent(changed.filter(({ isSent }) => isSent));
    // The person has confirmed on the phone.
    await this.writes.confirm(
      changed.filter(({ type, status }) => isCodeless(type) && status === STATUS_CODES.seen),
    );
    this.wake(sessions.map(({ id }) => id));
  }

  /** The rows of ids; null for those that do not exist. */
  private async inOrder<R extends { id: string }>(
    ids: string[],
    read: Promise<R[]>,
  ): Promise<(R | null)[]> {
    const rows = new Map((await read).map((row) => [row.id, row]));
    return ids.map((id) => rows.get(id.toLowerCase()) ?? null);
  }

  /** The token that configured the widget may not send any more. */
  private stop(widget: OtpWidget): Promise<void> {
    return this.db.transaction(async () => {
      if (!(await this.widgets.stop(widget))) return;
      const { id, OwnerId, name: title } = widget;
      await this.notifications.notify(OwnerId, 'TokenEffectEnded', { id, title });
    });
  }

  /** A code that could not be sent after it was counted is not counted. */
  private async sent<T>(
    code: Pick<OtpSession, 'OwnerId' | 'phone' | 'isTest'>,
    work: Promise<T>,
  ): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await this.limits.giveBackCode(code);
      throw error;
    }
  }

  private countTest({ OwnerId, isTest }: Pick<OtpSession, 'OwnerId' | 'isTest'>): void {
    if (isTest) this.rates.countMessages(OwnerId, 1, 'testMessage');
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

  private async phoneOf(
    { OwnerId, countries }: OtpWidget,
    text: string,
    isTest: boolean,
  ): Promise<string> {
    const country = await this.sealed.countryOf(OwnerId);
    const phone = normalizePhone(text, country);
    if (!phone) throw invalid('recipient', 'phone', 'Invalid phone number');
    // Their country may be another one than that of the people whom the widget confirms.
    if (isTest && isTestNumber(phone)) return phone;
    if (isTest) throw otpError('Forbidden', { message: 'A test token confirms test numbers only' });
    if (!(countries ?? [country]).includes(phoneCountry(phone) ?? ''))
      throw otpError('Forbidden', { message: 'The widget sends no codes to this country' });
    return phone;
  }

  private async requireCaptcha(
    { id, captchaIsRequired, captchaProvider, captchaFirstFreeRequestsPerIp }: OtpWidget,
    answer: string | undefined,
    { ip, network }: { ip: string; network: string | null },
  ): Promise<void> {
    if (!captchaIsRequired) return;
    const free = captchaFirstFreeRequestsPerIp ?? 0;
    const mayBeFree = answer === undefined && network !== null && free > 0;
    if (mayBeFree && (await this.limits.isFree(id, network, free))) return;
    await this.captchas.require(captchaProvider, answer, ip);
  }
}

const isOff = () => otpError('Forbidden', { message: 'The widget is switched off' });

function refuseAddress(ranges: string[], ip: string): void {
  if (ranges.includes(ANY_ADDRESS) || isAllowedAddress(ip, ranges)) return;
  throw otpError('Forbidden', { message: 'The widget is not open to this address' });
}
