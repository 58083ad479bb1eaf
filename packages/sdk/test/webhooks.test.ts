import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { InvalidSignature, signWebhook, verifyWebhook } from '../src/webhooks.ts';

const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
const other = `whsec_${Buffer.from('76543210fedcba9876543210').toString('base64')}`;
const body = '{"type":"sendings.status","data":{"id":"1","text":"Привет"}}';

/** The headers of a call, signed by the library of the standard. */
function headersOf(by = secret, at = new Date()): Record<string, string> {
  return {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Webhook-Signature': new Webhook(by).sign('msg_1', at, body),
  };
}

test('reads a call that is signed with the secret', async () => {
  const event = { type: 'sendings.status', data: { id: '1', text: 'Привет' } };
  expect(await verifyWebhook({ body, headers: headersOf(), secret })).toEqual(event);
  const raw = { body: Buffer.from(body), headers: new Headers(headersOf()), secret };
  expect(await verifyWebhook(raw)).toEqual(event);
});

test('a secret that is missing is no wrong signature', async () => {
  const call = { body, headers: headersOf(), secret: process.env.NO_SUCH_VARIABLE! };
  await expect(verifyWebhook(call)).rejects.toThrow('The secret of the webhook is missing.');
});

test('signs as the library of the standard does', async () => {
  const headers = await signWebhook({ body, secret, id: 'msg_2' });
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('takes either of two signatures while a secret is being replaced', async () => {
  const [old, fresh] = [headersOf(other), headersOf()];
  const headers = {
    ...fresh,
    'Webhook-Signature': `${old['Webhook-Signature']} ${fresh['Webhook-Signature']}`,
  };
  expect(await verifyWebhook({ body, headers, secret })).toMatchObject({ type: 'sendings.status' });
});

test.each([
  ['another secret', { body, headers: headersOf(other), secret }],
  ['another body', { body: `${body} `, headers: headersOf(), secret }],
  ['an old call', { body, headers: headersOf(secret, new Date(Date.now() - 301_000)), secret }],
  [
    'a call from the future',
    { body, headers: headersOf(secret, new Date(Date.now() + 330_000)), secret },
  ],
  [
    'a time that is none',
    { body, headers: { ...headersOf(), 'Webhook-Timestamp': 'now' }, secret },
  ],
  ['no signature', { body, headers: {}, secret }],
  [
    'another version',
    { body, headers: { ...headersOf(), 'Webhook-Signature': 'v2,AAAA' }, secret },
  ],
  ['no Base64', { body, headers: { ...headersOf(), 'Webhook-Signature': 'v1,%' }, secret }],
])('refuses %s', async (_, call) => {
  await expect(verifyWebhook(call)).rejects.toThrow(InvalidSignature);
});
