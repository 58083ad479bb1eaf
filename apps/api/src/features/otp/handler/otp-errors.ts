import type { ErrorCode, OtpErrorName } from '@heliograph/contract';
import { AppError } from '../../../core/errors.ts';

const ERRORS: Record<OtpErrorName, [code: ErrorCode, message: string]> = {
  AttemptsExpired: ['bad_request', 'No more codes can be entered. Send the code again.'],
  CaptchaNotConfirmed: ['captcha_required', 'The captcha is missing, wrong or was already used'],
  ChannelChanged: ['bad_request', 'The code was sent over another channel'],
  Forbidden: ['forbidden', 'The widget does not accept this request'],
  InvalidCode: ['bad_request', 'The code is incorrect'],
  IsCodelessChannel: ['forbidden', 'This channel is confirmed on the phone, without a code'],
  LongPollingTimeout: ['poll_timeout', 'Nothing has changed. Repeat the request.'],
  NoAvailableChannels: ['bad_request', 'No channel of the widget reaches this number'],
  PhoneNumberMismatch: ['conflict', 'The session is of another number'],
  RateLimit: ['rate_limited', 'Too many requests. Try again later.'],
  ResendChannel: ['bad_request', 'The code has expired. Send it again.'],
  RestartCooldownActive: ['conflict', 'The code can be sent again later'],
  SessionAlreadyConfirmed: ['conflict', 'The session is already confirmed'],
  SessionClosed: ['bad_request', 'The session is closed'],
  SessionNotConfirmed: ['conflict', 'The session is not confirmed'],
  SessionNotFound: ['not_found', 'The session does not exist'],
  WidgetIsBlocked: ['forbidden', 'The widget is blocked'],
  WidgetNotFound: ['not_found', 'The widget does not exist'],
};

export function otpError(
  type: OtpErrorName,
  detail: { payload?: Record<string, unknown>; message?: string } = {},
): AppError {
  const [code, message] = ERRORS[type];
  return new AppError(code, detail.message ?? message, { type, payload: detail.payload });
}

/** `until` is when a request may succeed. */
export function otpRateLimit(until: Date, now: Date): AppError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError('rate_limited', ERRORS.RateLimit[1], {
    type: 'RateLimit',
    headers: { 'retry-after': String(seconds) },
    payload: { expires_at: until.toISOString() },
  });
}
