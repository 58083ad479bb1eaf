import type { OtpErrorName, OtpSessionChannel, OtpStatus } from '@heliograph/contract';
import { isCodeless, resendCooldown, STATUS_CODES, type OtpChannelType } from '@heliograph/domain';
import { secondsAfter } from '../../../core/clock.ts';

/** A channel of the cascade, as of the start of the session. */
export interface OtpStep {
  type: OtpChannelType;
  label: string;
  sender: string;
  template: string;
  length: number;
  beautify: boolean;
  lifetime: number;
  tries: number;
  restarts: number;
}

export const SESSION_STATES = { open: 0, confirmed: 1, completed: 2, failed: 3 } as const;
const { open, confirmed } = SESSION_STATES;

/** A session with the current attempt of its chain. */
export interface OtpSession {
  id: string;
  OwnerId: string;
  /** Started with a test token: for these alone, and of no number of a person. */
  isTest: boolean;
  widgetId: string;
  ipWhitelist: string[];
  phone: string;
  /** From which it was requested; null if that is unknown. */
  network: string | null;
  state: number;
  reason: string | null;
  steps: OtpStep[];
  chainId: string;
  firstStep: number;
  round: number;
  restarts: number[];
  codeHashes: (Buffer | null)[];
  tries: number;
  resendAt: Date;
  expiresAt: Date;
  polled: string | null;
  /** Number of the current attempt in its chain, and its status. */
  attempt: number;
  status: number;
  submittedAt: Date | null;
  /** All attempts of the chain failed. */
  isFailed: boolean;
}

/** What a session is at a time: a channel, or the reason why there is none. */
export interface OtpView {
  /** Equal as long as nothing changes that a client shows. */
  version: string;
  channel: OtpSessionChannel | null;
  error: { type: OtpErrorName; payload?: Record<string, unknown> } | null;
  /** The view may change by itself then. */
  changesAt: Date;
}

export const stepOf = ({ firstStep, attempt }: OtpSession): number => firstStep + attempt;

/** The step that another round begins with; null if none is left. */
export function nextRound(session: OtpSession): number | null {
  const at = stepOf(session);
  if (session.restarts[at]! < session.steps[at]!.restarts) return at;
  return at + 1 < session.steps.length ? at + 1 : null;
}

/** Before that the code is not sent again. The wait grows with each time. */
export const resendAfter = (now: Date, round: number): Date =>
  secondsAfter(now, resendCooldown(round));

export function viewOf(session: OtpSession, now: Date): OtpView {
  const { state, round, attempt, expiresAt } = session;
  const view = (name: string, rest: Partial<OtpView>): OtpView => ({
    version: `${round}-${attempt}-${name}`,
    channel: null,
    error: null,
    changesAt: expiresAt,
    ...rest,
  });
  const refuse = (type: OtpErrorName, payload?: Record<string, unknown>) =>
    view(type, { error: { type, ...(payload && { payload }) } });
  if (state === confirmed)
    return view('confirmed', { channel: channelOf(session, 'confirmed', now) });
  if (state !== open || expiresAt <= now) return refuse('SessionClosed');
  const resend = { resendAt: resendTime(session) };
  if (session.tries >= session.steps[stepOf(session)]!.tries)
    return refuse('AttemptsExpired', resend);
  if (session.isFailed) return refuse('NoAvailableChannels', resend);
  const ends = endOf(session);
  if (ends && ends <= now)
    return resend.resendAt ? refuse('ResendChannel', resend) : refuse('SessionClosed');
  const status = statusOf(session);
  return view(status, {
    channel: channelOf(session, status, now),
    ...(ends && ends < expiresAt && { changesAt: ends }),
  });
}

const resendTime = (session: OtpSession): string | null =>
  session.state === open && nextRound(session) !== null ? session.resendAt.toISOString() : null;

function statusOf({ status }: OtpSession): OtpStatus {
  const isSent = status >= STATUS_CODES.sent && status <= STATUS_CODES.seen;
  return isSent ? 'sent' : 'wait';
}

/** When the code of the attempt expires; null while another attempt may follow by itself. */
function endOf(session: OtpSession): Date | null {
  const { submittedAt, status, steps } = session;
  const at = stepOf(session);
  if (!submittedAt) return null;
  const isDelivered = status === STATUS_CODES.delivered || status === STATUS_CODES.seen;
  const isLast = at + 1 >= steps.length;
  return isDelivered || isLast ? secondsAfter(submittedAt, steps[at]!.lifetime) : null;
}

function channelOf(session: OtpSession, status: OtpStatus, now: Date): OtpSessionChannel {
  const step = session.steps[stepOf(session)]!;
  const { type, label, length, lifetime, tries, restarts } = step;
  const codeless = isCodeless(type);
  return {
    type,
    status,
    label,
    codeType: codeless ? 'codeless' : 'code',
    settings: {
      lifetime,
      numberOfTries: tries,
      numberOfRestart: restarts,
      ...(!codeless && { code: { length, beautify: step.beautify } }),
    },
    remainingCodeAttempts: codeless ? 0 : Math.max(0, tries - session.tries),
    version: `${session.round}-${session.attempt}-${status}`,
    // Then its code expires, or the next channel takes over. The time of a message that waits has not begun.
    expiresAt: secondsAfter(session.submittedAt ?? now, lifetime).toISOString(),
    resendAt: resendTime(session),
  };
}
