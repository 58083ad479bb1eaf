import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { Captcha, CaptchaChallenge } from './captcha.ts';
import { endpoint } from './endpoint.ts';
import { Id, Phone, recordOf, text, Time, trimmed } from './fields.ts';
import { OtpCaptchaProvider, OtpChannelType, OtpStyles } from './otp-settings.ts';

export const OTP_CODE_TYPES = ['code', 'codeless'] as const;
export const OTP_STATUSES = ['wait', 'sent', 'confirmed', 'error', 'closed'] as const;
export type OtpStatus = (typeof OTP_STATUSES)[number];
/** Names of errors of the handler, without `Exception`. */
export const OTP_ERRORS = [
  'AttemptsExpired',
  'CaptchaNotConfirmed',
  'ChannelChanged',
  'Forbidden',
  'InvalidCode',
  'IsCodelessChannel',
  'LongPollingTimeout',
  'NoAvailableChannels',
  'PhoneNumberMismatch',
  'RateLimit',
  'ResendChannel',
  'RestartCooldownActive',
  'SessionAlreadyConfirmed',
  'SessionClosed',
  'SessionNotConfirmed',
  'SessionNotFound',
  'WidgetIsBlocked',
  'WidgetNotFound',
] as const;
export type OtpErrorName = (typeof OTP_ERRORS)[number];

const WidgetPath = z.object({ widgetId: z.guid() });
const RequestPath = z.object({ requestId: z.guid() });
const Success = z.object({ success: z.boolean() });
const Succeeded = z.object({ success: z.literal(true) });
/** The number that the caller expects to be confirmed. */
const Recipient = z.strictObject({ recipient: Phone });

/** What a widget shows. */
export const OtpPublicWidget = z.object({
  isBlocked: z.boolean(),
  isActive: z.boolean(),
  name: z.string(),
  captchaIsRequired: z.boolean(),
  captchaProvider: OtpCaptchaProvider,
  /** Public key of the provider's script; null for ALTCHA. */
  captchaSiteKey: z.string().nullable(),
  styles: OtpStyles,
  /** Country by which numbers without a calling code are read. */
  country: z.string(),
});
export const OtpSessionInput = z.strictObject({
  widgetId: z.guid(),
  recipient: Phone,
  /** Address of the person. Only calls with a token can give it. */
  ip: trimmed(45).optional(),
  /** Answer of the captcha: the payload of ALTCHA or the token of the provider. */
  captchaToken: text(4000).min(1).optional(),
  captcha: Captcha,
  locale: z.enum(LOCALES).optional(),
  /** A repeated call with the same key returns the session of the first one and sends nothing. */
  idempotencyKey: text(64).min(8).optional(),
});
/** The current channel of a session. */
export const OtpSessionChannel = z.object({
  type: OtpChannelType,
  status: z.enum(OTP_STATUSES),
  label: z.string(),
  codeType: z.enum(OTP_CODE_TYPES),
  payload: recordOf(z.string(), z.unknown(), 10).optional(),
  settings: z.object({
    lifetime: z.int(),
    numberOfTries: z.int(),
    numberOfRestart: z.int(),
    code: z.object({ length: z.int(), beautify: z.boolean() }).optional(),
  }),
  remainingCodeAttempts: z.int(),
  /** Names this state: a long poll with it waits for the next one. */
  version: z.string(),
  /** When this channel ends. */
  expiresAt: Time,
  /** When the code can be sent again; null if it cannot. */
  resendAt: Time.nullable(),
});
export type OtpSessionChannel = z.infer<typeof OtpSessionChannel>;
const Since = z.strictObject({ version: text(40).optional() });

const handler = '/n/otp-handler';
/** Widgets in a browser have no token; a call with one needs the permission. */
const visitor = { can: 'public', orWith: 'otp-handler.use', cost: 'otp' } as const;
const shared = { sharesStatements: true } as const;
/** Waits for a change for half a minute at most. */
const waiting = { longPoll: true } as const;

/** Sessions of one-time codes. docs/decisions/043-one-time-codes.md says which calls need a token. */
export const otpHandler = {
  widget: endpoint('GET', `${handler}/widget/:widgetId`, {
    summary: 'Get what a widget shows',
    params: WidgetPath,
    response: OtpPublicWidget,
    ...visitor,
  }),
  captcha: endpoint('GET', `${handler}/widget/:widgetId/captcha`, {
    summary: 'Create a proof-of-work challenge (ALTCHA) for a session of a widget',
    params: WidgetPath,
    response: CaptchaChallenge,
    ...visitor,
  }),
  create: endpoint('POST', handler, {
    forTests: true,
    bound: 'limiter',
    summary: 'Start a session: the first channel of the widget is sent',
    body: OtpSessionInput,
    bodyLimit: 8192,
    response: z.object({ requestId: Id }),
    status: 201,
    ...visitor,
    ...shared,
  }),
  channel: endpoint('GET', `${handler}/:requestId/channel`, {
    summary: 'Get the current channel of a session',
    params: RequestPath,
    response: OtpSessionChannel,
    ...visitor,
    ...shared,
  }),
  pollChannel: endpoint('GET', `${handler}/longPolling/:requestId/channel`, {
    summary: 'Wait until the channel of a session or its status changes',
    params: RequestPath,
    query: Since,
    response: OtpSessionChannel,
    ...visitor,
    ...waiting,
  }),
  checkCode: endpoint('POST', `${handler}/:requestId/checkCode`, {
    forTests: true,
    bound: 'code',
    summary: 'Check a code',
    params: RequestPath,
    body: z.strictObject({ code: trimmed(20).min(1) }),
    bodyLimit: 1024,
    response: Succeeded,
    status: 201,
    ...visitor,
    ...shared,
  }),
  resend: endpoint('POST', `${handler}/:requestId/resend`, {
    forTests: true,
    bound: 'code',
    summary: 'Send the code again, or over the next channel',
    params: RequestPath,
    response: Succeeded,
    status: 201,
    ...visitor,
  }),
  status: endpoint('GET', `${handler}/:requestId/status`, {
    summary: 'Get whether the session is confirmed for this number',
    params: RequestPath,
    query: Recipient,
    response: Success,
    can: 'otp-handler.get',
  }),
  pollStatus: endpoint('GET', `${handler}/longPolling/:requestId/status`, {
    summary: 'Wait until the session is confirmed for this number',
    params: RequestPath,
    query: Recipient,
    response: Success,
    can: 'otp-handler.get',
    ...waiting,
  }),
  complete: endpoint('POST', `${handler}/:requestId/complete`, {
    forTests: true,
    bound: 'nothing',
    summary: 'Close a session',
    params: RequestPath,
    response: Succeeded,
    status: 201,
    can: 'otp-handler.use',
  }),
  checkStatusAndComplete: endpoint('POST', `${handler}/:requestId/checkStatusAndComplete`, {
    forTests: true,
    bound: 'nothing',
    summary: 'Close a confirmed session of this number; succeeds once',
    params: RequestPath,
    query: Recipient,
    response: Succeeded,
    status: 201,
    can: 'otp-handler.use',
  }),
};
