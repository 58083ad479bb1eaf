import {
  links,
  segments,
  sendings,
  tasks,
  templates,
  type Estimate,
  type Sending,
  type SendingTask,
} from '@heliograph/contract';
import { CLICK_CODE_COST, countSegments, writeClickCode } from '@heliograph/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import { ExternalService } from '../../../test/external-service.ts';
import { approve, contactList, finished, problems, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { erasePerson, requestErasure } from '../sendings/persons/erase-person.ts';
import { TextsStore } from '../sendings/reports/texts.store.ts';
import { ClickCodesService } from './click-codes.service.ts';
import { Clicks } from './clicks.ts';

let world: World;
let owner: Person;
let clicks: Clicks;

beforeAll(async () => {
  world = await World.start({ SENDERNAMES_CHECK: 'none' });
  await world.startWorker();
  clicks = world.api.get(Clicks, { strict: false });
});
afterAll(() => world.stop());
beforeEach(async () => {
  owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id);
  await setCarrier(world, {});
});

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const shorten = (url = 'https://tea.shop/sale', who = owner) =>
  who.api(links.create, { body: { url } });
const options = { tellsWhoClicked: true };

async function bulk(given: object, who = owner): Promise<z.infer<typeof SendingTask>> {
  const body = { type: 'sms', options, ...given } as never;
  return (await who.api(sendings.create, { body })) as z.infer<typeof SendingTask>;
}
const sms = (text: string) => ({ sender: 'MIRTEA', text });
/** A bulk to five people, when it has ended. */
async function toFive(text: string): Promise<string> {
  const list = await contactList(world, owner.id, 5);
  const { id } = await bulk({ recipient: { include: [list] }, payload: sms(text) });
  await finished(owner, id);
  return id;
}
const messages = async (groupId: string, filter: object = {}): Promise<Sending[]> => {
  const query = { filter: { groupId, ...filter }, limit: 200 };
  const { data } = await owner.api(sendings.find, { query: query as never });
  return data.toSorted((a, b) => (a.id < b.id ? -1 : 1));
};
const outcome = (id: string) => owner.api(tasks.outcome, { params: { id } });
const codeIn = (text: string | null | undefined) => /\/s\/(\w{9}-\w{17})/.exec(text ?? '')?.[1];
const open = (code: string, userAgent = PHONE) =>
  fetch(`${world.base}/s/${code}`, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'user-agent': userAgent },
  });
/** Every click of the test is written. */
async function click(...codes: string[]): Promise<void> {
  for (const code of codes) expect((await open(code)).status).toBe(302);
  await clicks.flush();
}
const rows = (where = 'true') =>
  world.db.query<{ sending_id: string; link_id: string; clicks: number; address: string }>(
    `select * from link_clicks where owner_id = $1 and ${where} order by address`,
    [owner.id],
  );

test('two of five click, one of them twice, and a preview does not count', async () => {
  const link = await shorten();
  const id = await toFive(`Sale: ${link.shortUrl}. Come!`);
  const sent = await messages(id);
  const codes = sent.map(({ payload }) => codeIn(payload.text)!);
  expect(new Set(codes).size).toBe(5);
  expect(codes.every((code) => code.startsWith(link.shortUrl.split('/').at(-1)!))).toBe(true);
  const answer = await open(codes[0]!);
  expect(answer.headers.get('location')).toBe(link.url);
  await click(codes[0]!, codes[3]!);
  expect((await open(codes[1]!, 'TelegramBot (like TwitterBot)')).status).toBe(302);
  await clicks.flush();

  expect(await rows()).toMatchObject([
    { sending_id: sent[0]!.id, link_id: link.id, clicks: 2, address: sent[0]!.recipient },
    { sending_id: sent[3]!.id, link_id: link.id, clicks: 1, address: sent[3]!.recipient },
  ]);
  await until(async () => (await outcome(id)).clickedBy === 2, 'the figures');
  const { links: figures } = await outcome(id);
  expect(figures).toMatchObject([{ id: link.id, clicks: 3, clickedBy: 2 }]);
  const ids = async (clicked: boolean) => (await messages(id, { clicked })).map((one) => one.id);
  expect(await ids(true)).toEqual([sent[0]!.id, sent[3]!.id]);
  expect(await ids(false)).toEqual([sent[1]!.id, sent[2]!.id, sent[4]!.id]);
  expect(await problems(world)).toEqual([]);

  const message = await owner.api(sendings.get, { params: { id: sent[0]!.id } });
  expect(message.timeline!.filter(({ event }) => event === 'clicked')).toMatchObject([
    { id: sent[0]!.id, type: 'sms', detail: link.url },
  ]);

  const segment = async (happened: boolean, days: number) => {
    const body = { where: {}, activity: [{ event: 'clicked' as const, happened, days }] };
    return (await owner.api(segments.preview, { body })).count;
  };
  await world.db.query(
    `update link_clicks set last_at = last_at - interval '9 days' where sending_id = $1`,
    [sent[3]!.id],
  );
  expect([await segment(true, 1), await segment(true, 30)]).toEqual([1, 2]);
  expect([await segment(false, 1), await segment(false, 30)]).toEqual([4, 3]);
});

test('without the option a link has no code, and nobody did not click', async () => {
  const link = await shorten();
  const list = await contactList(world, owner.id, 2);
  const body = { recipient: { include: [list] }, payload: sms(link.shortUrl), options: {} };
  const { id } = await bulk(body);
  await finished(owner, id);
  expect((await messages(id)).map(({ payload }) => payload.text)).toEqual([
    link.shortUrl,
    link.shortUrl,
  ]);
  expect(await messages(id, { clicked: false })).toEqual([]);
  expect((await outcome(id)).clickedBy).toBeNull();
});

test('a text without a short link of the account is sent as it is', async () => {
  const stranger = await world.person();
  const { shortUrl } = await shorten(undefined, stranger);
  const id = await toFive(`Not mine: ${shortUrl}`);
  expect((await messages(id)).every(({ payload }) => payload.text!.endsWith(shortUrl))).toBe(true);
});

test('the estimate is the bill, in segments too', async () => {
  const { shortUrl } = await shorten();
  // One segment as it is written, and two with the code.
  const text = `${'a'.repeat(160 - shortUrl.length - 1)} ${shortUrl}`;
  expect(countSegments(text)).toMatchObject({ segments: 1, characters: 160 });
  const list = await contactList(world, owner.id, 5);
  const body = { type: 'sms', recipient: { include: [list] }, payload: sms(text) };
  const estimate = (given: object) =>
    owner.api(sendings.estimate, { body: { ...body, ...given } as never }) as Promise<Estimate>;
  const [plain, told] = [await estimate({}), await estimate({ options })];
  const { id } = await bulk(body);
  const { meta } = await finished(owner, id);
  expect(told.amount).toBeCloseTo(2 * plain.amount, 4);
  expect(meta.amount).toBeCloseTo(told.amount, 4);
  for (const one of await messages(id))
    expect(one.meta.stats).toMatchObject({ segments: 2, characters: 160 + CLICK_CODE_COST });
});

test('a fallback has the code of its person, and a new bulk has new ones', async () => {
  await setCarrier(world, { failed: 1 });
  const { shortUrl } = await shorten();
  const list = await contactList(world, owner.id, 3);
  const fallback = {
    type: 'sms',
    payload: sms(`By SMS: ${shortUrl}`),
    options: { onStatus: ['failed'] },
  };
  const { id } = await bulk({
    type: 'viber',
    recipient: { include: [list] },
    payload: sms(`{firstName}, ${shortUrl}`),
    fallbacks: [fallback],
  });
  await finished(owner, id);
  const all = await messages(id);
  const first = all.filter(({ attempt }) => attempt === 0);
  expect(all).toHaveLength(6);
  for (const one of first) {
    const [, next] = all.filter(({ chainId }) => chainId === one.id);
    expect(codeIn(next!.payload.text)).toBe(codeIn(one.payload.text));
  }
  await setCarrier(world, {});
  const again = await bulk({ recipient: { failedOf: id }, type: 'viber', payload: sms(shortUrl) });
  await finished(owner, again.id);
  const resent = await messages(again.id);
  expect(resent).toHaveLength(3);
  const codes = [...first, ...resent].map(({ payload }) => codeIn(payload.text));
  expect(new Set(codes).size).toBe(6);
  await click(codeIn(all.at(-1)!.payload.text)!, codeIn(resent[0]!.payload.text)!);
  expect((await rows()).map((row) => row.sending_id).sort()).toEqual(
    [all.at(-1)!.chainId, resent[0]!.id].sort(),
  );
});

test('a template is found by its text with the code, or else by that without it', async () => {
  const { shortUrl } = await shorten();
  const own = async (text: string, group: 'service' | 'transactional') => {
    const body = { title: text.slice(0, 20), type: 'sms' as const, payload: sms(text), group };
    const { id } = await owner.api(templates.create, { body });
    await world.db.query(`update templates set moderation = 'approved' where id = $1`, [id]);
  };
  await own(`Order ready, see ${shortUrl}`, 'service');
  await own(`Paid, see ${shortUrl}-%w{17}`, 'transactional');
  const list = await contactList(world, owner.id, 1);
  const group = async (text: string) => {
    const { id } = await bulk({ recipient: { include: [list] }, payload: sms(text) });
    await finished(owner, id);
    return (await messages(id))[0]!.meta.recipientGroup;
  };
  expect(await group(`Order ready, see ${shortUrl}`)).toBe('service');
  expect(await group(`Paid, see ${shortUrl}`)).toBe('transactional');
  expect(await group(`Sale, see ${shortUrl}`)).toBe('advertising');
});

test('who makes, changes, swaps or walks codes clicks for nobody, and is led to the page', async () => {
  const [link, other] = [await shorten(), await shorten('https://tea.shop/other')];
  const foreign = await shorten(undefined, await world.person());
  const id = await toFive(`Sale: ${link.shortUrl}`);
  await toFive(`Other: ${other.shortUrl}`);
  const [first, second] = (await messages(id)).map(({ payload }) => codeIn(payload.text)!);
  const [code, recipient] = first!.split('-') as [string, string];
  const codeOf = (one: { shortUrl: string }) => one.shortUrl.split('/').at(-1)!;
  const codes = world.api.get(ClickCodesService, { strict: false });
  const genuine = await codes.read(recipient);
  const forged = [
    // Walked: the next number with the signature of this one.
    ...[1, 2, 3].map((n) =>
      writeClickCode({ ...genuine!, number: genuine!.number + n, mac: 0x123456789abcn }),
    ),
    recipient.slice(0, -1) + (recipient.endsWith('A') ? 'B' : 'A'),
    recipient.toLowerCase(),
    'x'.repeat(17),
    '9'.repeat(17),
    'x'.repeat(64),
    '',
  ];
  for (const one of forged) {
    expect(await codes.read(one)).toBeNull();
    expect((await open(`${code}-${one}`)).headers.get('location')).toBe(link.url);
  }
  // A genuine code behind a link that its bulk does not have.
  expect((await open(`${codeOf(other)}-${recipient}`)).status).toBe(302);
  expect((await open(`${codeOf(foreign)}-${recipient}`)).status).toBe(302);
  await clicks.flush();
  expect(await rows()).toEqual([]);
  expect(await owner.api(links.get, { params: { id: link.id } })).toMatchObject({
    clicks: forged.length,
  });
  expect((await open(`${code}-${'x'.repeat(65)}`)).status).toBe(404);
  await click(second!);
  expect(await rows()).toHaveLength(1);
});

test('nobody of a person who is erased has clicked, also afterwards', async () => {
  const link = await shorten();
  const id = await toFive(`Sale: ${link.shortUrl}`);
  const sent = await messages(id);
  const codes = sent.map(({ payload }) => codeIn(payload.text)!);
  await click(codes[0]!, codes[1]!);
  const person = { OwnerId: owner.id, address: sent[0]!.recipient };
  await erasePerson(world.db, await requestErasure(world.db, person));
  await click(codes[0]!, codes[1]!);
  expect(await rows()).toMatchObject([{ address: sent[1]!.recipient, clicks: 2 }]);
});

test('clicks of recipients are deleted with the texts of their messages, and with the link', async () => {
  const [link, kept] = [await shorten(), await shorten('https://tea.shop/kept')];
  const id = await toFive(`Sale: ${link.shortUrl} and ${kept.shortUrl}`);
  const [{ id: sendingId, payload }] = (await messages(id)) as [Sending];
  const recipient = codeIn(payload.text)!.split('-')[1]!;
  const at = ({ shortUrl }: { shortUrl: string }) => `${shortUrl.split('/').at(-1)}-${recipient}`;
  await click(at(link), at(kept));
  expect(await rows()).toHaveLength(2);
  await owner.api(links.remove, { params: { id: link.id } });
  expect(await rows()).toMatchObject([{ link_id: kept.id }]);
  await world.api.get(TextsStore, { strict: false }).deleteTexts([sendingId]);
  expect(await rows()).toEqual([]);
  await click(at(kept));
  expect(await rows()).toEqual([]);
});

test('it is of bulks, and of short links that this installation answers', async () => {
  const { shortUrl } = await shorten();
  const single = {
    type: 'sms' as const,
    recipient: '+79161110001',
    payload: sms(shortUrl),
    options,
  };
  const refusal = {
    status: 422,
    body: { data: [expect.objectContaining({ field: 'options.tellsWhoClicked' })] },
  };
  for (const call of [sendings.create, sendings.estimate])
    await expect(owner.api(call, { body: single } as never)).rejects.toMatchObject(refusal);
  const shortener = new ExternalService<null>();
  const other = await World.start({ LINKS_SHORTENER_URL: `${await shortener.start()}?key=k` });
  try {
    const person = await other.person({ balance: 100 });
    await approve(other, person.id);
    const list = await contactList(other, person.id, 1);
    const body = { ...single, recipient: { include: [list] } };
    await expect(person.api(sendings.create, { body } as never)).rejects.toMatchObject(refusal);
  } finally {
    await other.stop();
    shortener.stop();
  }
});
