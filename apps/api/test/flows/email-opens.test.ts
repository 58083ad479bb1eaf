import {
  audit,
  channels,
  ADMINISTRATOR_GRANTS,
  emailSettings,
  links,
  sendings,
  tasks,
  webhooks,
  type Task,
} from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Clicks } from '../../src/features/links/clicks.ts';
import { OpenImagesService } from '../../src/features/sendings/opens/open-images.service.ts';
import { Opens } from '../../src/features/sendings/opens/opens.ts';
import { ReportsService } from '../../src/features/sendings/reports/reports.service.ts';
import { TextsStore } from '../../src/features/sendings/reports/texts.store.ts';
import { UnsubscribeLinksService } from '../../src/features/suppressions/unsubscribe-links.service.ts';
import { DeliveryService } from '../../src/features/webhooks/delivery.service.ts';
import { ended, finished, problems, setCarrier } from '../factories.ts';
import { MailPeer } from '../peers/mail-peer.ts';
import { WebhookReceiver } from '../webhook-receiver.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let administrator: Person;
let owner: Person;
let peer: MailPeer;
let opens: Opens;

beforeAll(async () => {
  world = await World.start({ PUBLIC_URL: 'https://app.example/', TRUST_PROXY: '1' });
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
  opens = world.api.get(Opens, { strict: false });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where name <> 'simulator'`);
  owner = await world.person({ balance: 10_000 });
  peer = new MailPeer();
});
afterEach(() => peer.close());

async function connect(options: object = {}): Promise<void> {
  const url = await peer.listen();
  await administrator.api(channels.create, {
    body: {
      name: `mail-${randomUUID().slice(0, 8)}`,
      driver: 'smtp',
      types: ['email'],
      isActive: true,
      priority: 1000,
      options: { url, startTls: 'never', domain: 'mail.example', deliveredAfter: 0, ...options },
    } as never,
  });
  world.forgetChannels();
}

const tell = (tellsOpened: boolean, who = owner) =>
  who.api(emailSettings.update, { body: { tellsOpened } });
const address = () => `${randomUUID().slice(0, 8)}@tea.example`;
async function send(given: object = {}, who = owner): Promise<string> {
  const payload = {
    sender: 'news@mail.example',
    subject: 'Tea',
    text: '# Tea\n\nis ready',
    format: 'markdown',
    ...given,
  };
  const body = { type: 'email', payload, recipient: address() } as never;
  return ((await who.api(sendings.create, { body })) as { id: string }).id;
}
const get = (id: string, who = owner) => who.api(sendings.get, { params: { id } });
const statusOf = async (id: string, who = owner) => (await get(id, who)).state.status;
const mail = async (i = 0) => {
  await until(() => Promise.resolve(peer.received.length > i), 'the e-mail');
  return PostalMime.parse(peer.received[i]!.raw);
};
const IMAGE =
  /<img src="https:\/\/app\.example(\/o\/[\w-]{34})" alt="" width="1" height="1"[^>]*><\/div><\/body><\/html>\s*$/;
const imageIn = (html: string | undefined): string => IMAGE.exec(html ?? '')![1]!;
const load = (path: string, init: RequestInit = {}, base = world.base) =>
  fetch(base + path, { redirect: 'manual', ...init });
/** What is opened is written. */
async function open(path: string): Promise<void> {
  expect((await load(path)).status).toBe(200);
  await opens.flush();
}
const changedAt = async (id: string) =>
  (
    await world.db.query<{ at: Date }>(`select changed_at as at from sendings where id = $1`, [id])
  )[0]!.at;
/** A delivered e-mail, with the path of its image. */
async function delivered(): Promise<{ id: string; path: string }> {
  await tell(true);
  const id = await send();
  await ended(owner, id);
  return { id, path: imageIn((await mail()).html) };
}

test('an e-mail that is opened becomes seen, once, and is reported once', async () => {
  await connect();
  const receiver = await new WebhookReceiver().start();
  try {
    const url = `${receiver.base}/hook`;
    const body = { title: 'Shop', event: 'sendings.status' as const, url, statuses: ['seen'] };
    await owner.api(webhooks.create, { body: body as never });
    const { id, path } = await delivered();
    expect((await mail()).text).not.toContain('/o/');
    expect(await statusOf(id)).toBe('delivered');

    const answer = await load(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.toString('latin1', 0, 6), bytes.readUInt16LE(6), bytes.readUInt16LE(8)]).toEqual([
      'GIF89a',
      1,
      1,
    ]);
    await opens.flush();
    const { state, seenAt, timeline } = await get(id);
    expect([state.status, seenAt]).toEqual(['seen', expect.any(String)]);
    expect(timeline!.filter(({ event }) => event === 'seen')).toHaveLength(1);
    await until(() => Promise.resolve(receiver.calls.length), 'the webhook');

    const before = await changedAt(id);
    await open(path);
    // Nor does another process write it again, which does not know of the first time.
    const { app, base } = await world.startApi();
    expect((await load(path, {}, base)).status).toBe(200);
    await app.get(Opens, { strict: false }).flush();
    expect(await changedAt(id)).toEqual(before);
    const deliveries = world.api.get(DeliveryService, { strict: false });
    await deliveries.deliver();
    await deliveries.idle();
    expect(
      receiver.take().map((call) => (JSON.parse(call.body) as { data: object }).data),
    ).toMatchObject([{ id, status: 'seen' }]);
    expect(await problems(world)).toEqual([]);
  } finally {
    receiver.stop();
  }
});

test('an e-mail that is opened before it counts as delivered stays seen', async () => {
  await connect({ deliveredAfter: 3_600 });
  await tell(true);
  const id = await send();
  await until(async () => (await statusOf(id)) === 'sent', 'the e-mail to be sent');
  await open(imageIn((await mail()).html));
  expect(await get(id)).toMatchObject({
    state: { status: 'seen' },
    deliveredAt: expect.any(String),
    seenAt: expect.any(String),
  });
  const reports = world.api.get(ReportsService, { strict: false });
  expect(await reports.apply([{ id, status: 'delivered', at: world.clock.now() }])).toEqual([]);
  expect(await statusOf(id)).toBe('seen');
});

test('without the setting, and in a plain e-mail, there is no image', async () => {
  await connect();
  expect(await owner.api(emailSettings.get, { query: {} })).toEqual({
    OwnerId: owner.id,
    tellsOpened: false,
  });
  await ended(owner, await send());
  await tell(true);
  await ended(owner, await send({ format: 'plain', text: 'Tea is ready' }));
  const other = await world.person({ balance: 100 });
  await ended(other, await send({}, other));
  const mails = await Promise.all([0, 1, 2].map(mail));
  for (const { html, text } of mails) expect(`${html} ${text}`).not.toMatch(/\/o\/|<img/);
  expect(mails.map(({ html }) => html === undefined)).toEqual([false, true, false]);
});

test('an account that has switched it off is told nothing of earlier e-mails, and what changed is in the log', async () => {
  await connect();
  const { id, path } = await delivered();
  await tell(false);
  await open(path);
  expect(await statusOf(id)).toBe('delivered');
  const query = { filter: { action: 'emailSettings.update' } } as never;
  const { data } = await owner.api(audit.find, { query });
  expect(data.map(({ before, after }) => [before, after])).toMatchObject([
    [{ tellsOpened: true }, { tellsOpened: false }],
    [{ tellsOpened: false }, { tellsOpened: true }],
  ]);
});

test('nothing is recorded of an e-mail whose text is deleted', async () => {
  await connect();
  const { id, path } = await delivered();
  await world.api.get(TextsStore, { strict: false }).deleteTexts([id]);
  await open(path);
  expect(await statusOf(id)).toBe('delivered');
});

test('programs that ask for the head, other methods and other tokens open nothing, and show an image', async () => {
  await connect();
  const { id, path } = await delivered();
  const head = await load(path, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/gif']);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const refused = await load(path, { method });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
  const token = path.slice('/o/'.length);
  const unsubscribe = await world.api.get(UnsubscribeLinksService, { strict: false }).link();
  const image = Buffer.from(await (await load(path, { method: 'GET' }, world.base)).arrayBuffer());
  await opens.flush();
  expect(await statusOf(id)).toBe('seen');
  const next = await send();
  await ended(owner, next);
  const genuine = imageIn((await mail(1)).html).slice('/o/'.length);
  for (const other of [
    // The id of another message with this signature, and the signature of another use.
    genuine.slice(0, 22) + token.slice(22),
    new URL(unsubscribe(next)).pathname.split('/').at(-1)!,
    genuine.toLowerCase(),
    `${genuine}A`,
    genuine.slice(1),
    `${genuine}/x`,
    `${genuine}%00`,
    'x'.repeat(34),
    'x'.repeat(10_000),
    '',
  ]) {
    const answer = await load(`/o/${other}`);
    expect([other, answer.status]).toEqual([other, 200]);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(image);
  }
  await opens.flush();
  expect(await statusOf(next)).toBe('delivered');
});

test('many unknown images use up nothing of what their network may ask for', async () => {
  await connect();
  const { id, path } = await delivered();
  const { app, base } = await world.startApi({ RATE_SCALE: 0.05 });
  const init = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  const statuses: number[] = [];
  for (let n = 0; n < 9; n++)
    statuses.push((await load(`/o/${'x'.repeat(33)}${n}`, init, base)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await load(`/u/${'x'.repeat(34)}`, init, base)).status).toBe(404);
  expect((await load(path, init, base)).status).toBe(200);
  await app.get(Opens, { strict: false }).flush();
  expect(await statusOf(id)).toBe('seen');
});

test('nothing is lost while the database is away', async () => {
  await connect();
  const { id, path } = await delivered();
  await world.db.query('alter table email_settings rename to email_settings_away');
  await open(path);
  expect(await statusOf(id)).toBe('delivered');
  await world.db.query('alter table email_settings_away rename to email_settings');
  await opens.flush();
  expect(await statusOf(id)).toBe('seen');
});

test('a bulk over the simulator counts those who have opened it', async () => {
  await setCarrier(world, {});
  await tell(true);
  const payload = { sender: 'DEMO', subject: 'Tea', text: '**Tea**', format: 'markdown' };
  const recipient = { include: [address(), address(), address()] };
  const body = { type: 'email', payload, recipient } as never;
  const { id } = (await owner.api(sendings.create, { body })) as Task;
  await finished(owner, id);
  const { data } = await owner.api(sendings.find, { query: { filter: { groupId: id } } });
  const images = await world.api
    .get(OpenImagesService, { strict: false })
    .of(data.map((one) => ({ id: one.id, OwnerId: owner.id })));
  const paths = data.map((one) => new URL(images.get(one.id)!).pathname);
  for (const path of paths.slice(1)) await open(path);
  const { attempts } = await owner.api(tasks.outcome, { params: { id } });
  expect(attempts).toMatchObject([{ seen: 2 }]);
  expect(await problems(world)).toEqual([]);
});

test('links and buttons of a formatted bulk tell who clicked, which opens nothing', async () => {
  await connect();
  await tell(true);
  const { shortUrl, id: LinkId } = await owner.api(links.create, {
    body: { url: 'https://tea.shop/' },
  });
  const payload = {
    sender: 'news@mail.example',
    subject: 'Tea',
    text: `See [the shop](${shortUrl}) or ${shortUrl}\n\n[Order](${shortUrl} "button")`,
    format: 'markdown',
  };
  const to = [address(), address()];
  const options = { tellsWhoClicked: true };
  const body = { type: 'email', payload, options, recipient: { include: to } } as never;
  const { id } = (await owner.api(sendings.create, { body })) as Task;
  await finished(owner, id);
  const mails = await Promise.all([0, 1].map(mail));
  const codes = mails.map(({ html, text }) => {
    const hrefs = [...html!.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!);
    expect(new Set(hrefs).size).toBe(1);
    expect(hrefs).toHaveLength(3);
    expect(text!.split(hrefs[0]!)).toHaveLength(4);
    expect(hrefs[0]).toMatch(/^https:\/\/app\.example\/s\/\w{9}-\w{17}$/);
    return new URL(hrefs[0]!).pathname;
  });
  expect(new Set(codes).size).toBe(2);
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0',
    accept: 'text/html',
  };
  expect((await load(codes[0]!, { headers })).headers.get('location')).toBe('https://tea.shop/');
  await world.api.get(Clicks, { strict: false }).flush();
  const { links: figures, attempts } = await owner.api(tasks.outcome, { params: { id } });
  expect(figures).toMatchObject([{ id: LinkId, clicks: 1, clickedBy: 1 }]);
  expect(attempts).toMatchObject([{ seen: 0 }]);
});
