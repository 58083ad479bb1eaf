import type { Callback } from '../webhooks/message-callbacks.service.ts';
import type { CallbackFacts } from './callback.ts';
import { signatureOf } from './signing-state.ts';
import { API_VERSION, failureNumber, sidOf, twilioStatus } from './twilio-messages.ts';

/** The call of a `StatusCallback`, signed over its URL and its parameters by the auth token. */
export async function twilioCallback({
  callback: { url, values },
  report,
  secret,
}: CallbackFacts): Promise<Callback> {
  const { id, recipient, sender, status, error, sentAt } = report;
  const sid = sidOf(id);
  const name = twilioStatus(status, error.code, sentAt);
  const parameters: Record<string, string> = {
    AccountSid: values.AccountSid ?? '',
    ApiVersion: API_VERSION,
    From: sender,
    MessageSid: sid,
    MessageStatus: name,
    SmsSid: sid,
    SmsStatus: name,
    To: recipient,
    ...(status === 'failed' && { ErrorCode: String(failureNumber(error.code)) }),
  };
  const signed = Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}${value}`)
    .join('');
  return {
    method: 'POST',
    url,
    body: new URLSearchParams(parameters).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': signatureOf(await secret(), `${url}${signed}`),
    },
  };
}
