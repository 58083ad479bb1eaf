import type { OtpErrorName, otpHandler, ResponseOf } from '@heliograph/contract';

export type WidgetInfo = ResponseOf<typeof otpHandler.widget>;
export type Challenge = ResponseOf<typeof otpHandler.captcha>;
export type Channel = ResponseOf<typeof otpHandler.channel>;

/** Names of refusals by the handler, and those of the widget itself. */
export type ErrorName = OtpErrorName | 'InvalidRecipient' | 'Network' | 'Unknown';
/** Those that a person reads. */
export type ShownError = Exclude<
  ErrorName,
  'LongPollingTimeout' | 'PhoneNumberMismatch' | 'SessionAlreadyConfirmed' | 'SessionNotConfirmed'
>;
