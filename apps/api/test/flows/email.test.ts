import {
  ADMINISTRATOR_GRANTS,
  channels,
  sendings,
  storage,
  suppressions,
} from '@heliograph/contract';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ended, problems } from '../factories.ts';
import { picture } from '../scene.ts';
import { MailPeer } from '../peers/mail-peer.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: MailPeer;
let name: string;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false`);
  owner = await world.person({ balance: 10_000 });
});
afterEach(() => peer.close());

const SECRET = 'a-secret-of-bounces';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** A channel to a mail server of another make, as an administrator makes it. */
async function connect(options: object = {}) {
  peer = new MailPeer();
  const url = await peer.listen();
  name = `mail-${randomUUID().slice(0, 8)}`;
  const created = await administrator.api(channels.create, {
    body: {
      name,
      driver: 'smtp',
      types: ['email'],
      isActive: true,
      priority: 10,
      options: {
        url,
        startTls: 'never',
        domain: 'mail.example',
        dkimSelector: 'one',
        dkimKey: privateKey,
        bounceDomain: 'back.example',
        bounceSecret: SECRET,
        deliveredAfter: 0,
        ...options,
      },
    } as never,
  });
  world.forgetChannels();
  return created;
}

const send = async (recipient: string) => {
  const payload = { sender: 'news@mail.example', subject: 'Tea for {email}', text: 'Hello' };
  const body = { type: 'email', payload, recipient } as never;
  return (await owner.api(sendings.create, { body })) as { id: string };
};
/** Someone of the domain of bounces. */
const address = () => `${randomUUID().slice(0, 8)}@tea.example`;
const entries = async () => (await owner.api(suppressions.find, { query: {} as never })).data;
const returned = (raw: string, secret = SECRET) =>
  fetch(`${world.base}/api/callbacks/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', authorization: `Bearer ${secret}` },
    body: Buffer.from(raw, 'latin1'),
  });
const bounceOf = (to: string) =>
  `To: ${to}\r\nSubject: Nicht zustellbar: Gr\xfc\xdfe\r\nContent-Type: multipart/report; boundary=b\r\n\r\n` +
  `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.tea.example\r\n\r\n` +
  `Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 no such user\r\n--b--\r\n`;

test('an e-mail leaves with its subject, and is delivered when nothing comes back', async () => {
  const { options, secrets } = await connect();
  expect(secrets.toSorted()).toEqual(['bounceSecret', 'dkimKey']);
  expect(JSON.stringify(options)).not.toMatch(/PRIVATE KEY|a-secret/);
  const to = address();
  const sending = await ended(owner, (await send(to)).id);
  expect(sending.state).toMatchObject({ status: 'delivered' });
  expect(peer.received).toMatchObject([{ to: [to] }]);
  expect(peer.received[0]!.raw).toContain(`Subject: Tea for ${to}\r\n`);
  expect(await problems(world)).toEqual([]);
});

test('an e-mail in Markdown leaves as HTML beside a plain text, with values that are no markup', async () => {
  await connect();
  const payload = {
    sender: 'news@mail.example',
    subject: 'Tea',
    text: '# For {email}\n\n[Order](https://tea.example/?to={email} "button")',
    format: 'markdown',
  };
  const to = `a_b_c*d*@tea.example`;
  const body = { type: 'email', payload, recipient: to } as never;
  const { id } = (await owner.api(sendings.create, { body })) as { id: string };
  const sending = await ended(owner, id);
  expect(sending).toMatchObject({
    state: { status: 'delivered' },
    payload: { format: 'markdown' },
  });
  const mail = await PostalMime.parse(peer.received[0]!.raw);
  const address = 'https://tea.example/?to=a_b_c%2Ad%2A%40tea.example';
  expect(mail.text!.trim()).toBe(`For ${to}\n\nOrder (${address})`);
  expect(mail.html).toMatch(/<h1[^>]*>For a_b_c\*d\*@tea\.example<\/h1>/);
  expect(mail.html).toContain(`<a href="${address}" style="display:inline-block`);
});

test.each([
  ['sms', 'Hello', 'format', 'unsupported'],
  ['email', 'x'.repeat(20_001), 'text', 'too_long'],
])('a text of %s in Markdown is refused where it cannot be', async (type, text, field, rule) => {
  const payload = { sender: 'DEMO', text, format: 'markdown' };
  const recipient = type === 'sms' ? '+79161234567' : address();
  const body = { type, payload, recipient } as never;
  await expect(owner.api(sendings.create, { body })).rejects.toMatchObject({
    body: { data: [{ field: `payload.${field}`, type: rule }] },
  });
});

test('a file of the account goes with the e-mail', async () => {
  await connect();
  const { id: fileId } = await owner.api(storage.create, { body: picture() });
  const payload = { sender: 'news@mail.example', subject: 'Tea', text: 'Look', file: fileId };
  const body = { type: 'email', payload, recipient: address() } as never;
  const { id } = (await owner.api(sendings.create, { body })) as { id: string };
  expect((await ended(owner, id)).state).toMatchObject({ status: 'delivered' });
  const mail = await PostalMime.parse(peer.received[0]!.raw, { attachmentEncoding: 'base64' });
  const bytes = Buffer.from(await (picture().get('file') as Blob).arrayBuffer());
  expect(mail.attachments).toMatchObject([
    { filename: 'tea.png', mimeType: 'image/png', content: bytes.toString('base64') },
  ]);
});

test('one click of the mail client ends the messages to a person', async () => {
  await connect();
  const to = address();
  await ended(owner, (await send(to)).id);
  const [, link] = /^List-Unsubscribe: <([^>]+)>/m.exec(
    peer.received[0]!.raw.replaceAll('\r\n ', ' ').replace(
      'List-Unsubscribe:  ',
      'List-Unsubscribe: ',
    ),
  )!;
  const path = new URL(link!).pathname;
  // A program that looks at links ends nothing.
  expect((await fetch(`${world.base}${path}`)).status).toBe(200);
  expect(await entries()).toEqual([]);
  const clicked = await fetch(`${world.base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(clicked.status).toBe(200);
  expect(await entries()).toMatchObject([{ address: to, reason: 'link' }]);
});

test('a bounce fails its message, and nothing more goes to the address', async () => {
  await connect({ deliveredAfter: 3_600 });
  const to = address();
  const { id } = await send(to);
  await until(async () => peer.received.length === 1, 'the e-mail');
  const back = bounceOf(peer.received[0]!.from);
  expect((await returned(back, 'another-secret-of-bounces')).status).toBe(401);
  expect(await entries()).toEqual([]);
  const answer = await returned(back);
  expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
  const failed = await ended(owner, id);
  expect(failed.state).toMatchObject({ status: 'failed', code: 'number_not_found' });
  expect(await entries()).toMatchObject([
    { address: to, type: 'email', reason: 'bounce', SendingId: id },
  ]);
  const refused = await ended(owner, (await send(to)).id);
  expect(refused.state).toMatchObject({ status: 'failed', code: 'unsubscribed' });
  expect((await returned(back)).status).toBe(200);
  expect(await entries()).toHaveLength(1);
  expect(peer.received).toHaveLength(1);
  expect(await problems(world)).toEqual([]);
});

test('an address that the server does not know gets no more messages', async () => {
  await connect();
  peer.refuse = (step) => (step === 'to' ? '550 5.1.1 no such user' : undefined);
  const to = address();
  const failed = await ended(owner, (await send(to)).id);
  expect(failed.state).toMatchObject({ status: 'failed', code: 'number_not_found' });
  expect(await entries()).toMatchObject([{ address: to, reason: 'bounce', note: 'no such user' }]);
});

test('a complaint ends the messages to a person, and the message stays delivered', async () => {
  await connect();
  const to = address();
  const { id } = await send(to);
  await ended(owner, id);
  const report =
    `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\n` +
    `Feedback-Type: abuse\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${peer.received[0]!.raw}\r\n--b--\r\n`;
  expect((await returned(report)).status).toBe(200);
  expect(await entries()).toMatchObject([{ address: to, reason: 'complaint' }]);
  expect((await ended(owner, id)).state.status).toBe('delivered');
});

test('a bounce of a message of another channel says nothing here', async () => {
  await connect();
  const first = name;
  const to = address();
  const { id } = await send(to);
  await ended(owner, id);
  const back = bounceOf(peer.received[0]!.from);
  await peer.close();
  await world.db.query(`update channels set is_active = false`);
  await connect();
  expect(name).not.toBe(first);
  expect((await returned(back)).status).toBe(200);
  expect(await entries()).toEqual([]);
});

test('returned mail of every shape is answered, and changes nothing that it may not', async () => {
  await connect({ deliveredAfter: 3_600 });
  const { id } = await send(address());
  await until(async () => peer.received.length === 1, 'the e-mail');
  const forged = `bounce-${id.replaceAll('-', '')}${'0'.repeat(20)}@back.example`;
  for (const raw of [bounceOf(forged), 'hello', '\0\0\0', '\xff'.repeat(1000)])
    expect((await returned(raw)).status).toBe(200);
  expect((await returned('x'.repeat(4_000_000))).status).toBe(413);
  const url = `${world.base}/api/callbacks/${name}`;
  const authorization = `Bearer ${SECRET}`;
  const headers = { 'content-type': 'text/plain', authorization };
  expect((await fetch(url, { method: 'POST', headers, body: 'hello' })).status).toBe(415);
  await until(async () => {
    const { state } = await owner.api(sendings.get, { params: { id } });
    return state.status === 'sent';
  }, 'the e-mail to be sent');
  expect(await entries()).toEqual([]);
});
