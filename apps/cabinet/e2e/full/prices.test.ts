import type { Estimate, SendingReceipt, SendingType, Settings } from '@heliograph/contract';
import { FALLBACK_STATUSES } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  emptyFallback,
  emptyValues,
  NO_PAYLOAD,
  toInput,
  type PayloadValues,
  type SendValues,
} from '../../src/features/send/form/send-values.ts';
import { partsOf } from '../../src/features/send/form/type-parts.ts';
import { TestBrowser } from '../test-browser.ts';

let browser: TestBrowser;
let token: string;
let types: SendingType[];
let audio: string;

beforeAll(async () => {
  browser = await TestBrowser.open();
  token = await browser.token('customer');
  // Enough balance, with its entry, so that the ledger stays consistent.
  await browser.db.query(
    `with owner as (select id from users where username = 'customer'),
          entry as (insert into billings (owner_id, source, amount) select id, -1, 1000000 from owner)
     update balances set balance = balance + 1000000 where owner_id = (select id from owner)`,
  );
  ({ types } = (await browser.call<Settings>('GET', '/settings', undefined, token)).sendings);
  audio = await recording();
  await carry({ replies: 0 });
});
afterAll(async () => {
  await carry();
  await browser.close();
});

/** Sets the options of the simulated carrier. One reply in four is a STOP, after which the person can be sent nothing more. */
async function carry(options: { replies?: number } = {}): Promise<void> {
  const manager = await browser.token('manager');
  const body = { options: { profile: 'healthy', expiresAfter: 8, ...options } };
  await browser.call('PUT', '/channels/simulator', body, manager);
}

/** A stored file with three seconds of silence. */
async function recording(): Promise<string> {
  const rate = 8000;
  const wav = Buffer.alloc(44 + rate * 3, 0x80);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + rate * 3, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(rate * 3, 40);
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'call.wav');
  const headers = { authorization: token };
  const answer = await fetch(`${browser.url}/api/storage`, { method: 'POST', headers, body });
  return ((await answer.json()) as { id: string }).id;
}

/** Numbers of four operators with different prices, and of another country. */
const PHONES = ['+79161230001', '+79261230001', '+79031230001', '+79771230001', '+77011230001'];
const EMAILS = ['anna@mirtea.example', 'boris@mirtea.example'];
const SHORT = 'Tea is ready, {firstName|friend}: “today” only';
/** Three segments in channels with segments. */
const LONG = `Чай для тебя, {firstName|друг}! ${'Сегодня скидка. '.repeat(10)}`;

/** Payloads of a type. */
function variants(type: SendingType): Record<string, Partial<PayloadValues>> {
  if (/code|flash/.test(type)) return { code: { text: '1234' } };
  if (!partsOf(type).text) return { empty: {} };
  if (partsOf(type).audio) return { recorded: { audio } };
  return { short: { text: SHORT }, long: { text: LONG } };
}

/** The price of an instance's month includes its messages. */
const isIncluded = (type: SendingType) => type === 'wapi';

function message(type: SendingType, parts: Partial<PayloadValues>): SendValues {
  // An instance sends from its phone.
  const sender = type === 'voice' ? '74951234567' : type === 'wapi' ? '' : 'MIRTEA';
  return { ...emptyValues(type), payload: { ...NO_PAYLOAD, sender, ...parts } };
}

const to = (values: SendValues, typed: string[]) =>
  toInput({ ...values, include: { lists: [], typed: typed.join('\n') } });
const estimate = (body: object) =>
  browser.call<Estimate>('POST', '/sendings/estimate', body, token);
const send = (body: object) => browser.call<SendingReceipt>('POST', '/sendings', body, token);

/** The charges of some messages, including those refunded later. */
async function billed(where: string, id: string): Promise<number> {
  const { rows } = await browser.db.query(
    `select coalesce(-sum(b.amount), 0)::float8 as sum from sendings s join billings b on b.id = s.id where ${where}`,
    [id],
  );
  return rows[0].sum;
}

test('the account can send every type', () => {
  expect(types.length).toBeGreaterThan(15);
});

test('a message costs its estimate, for every type, length and operator', async () => {
  const wrong: unknown[] = [];
  const sums = new Map<string, number>();
  for (const type of types) {
    for (const [name, parts] of Object.entries(variants(type))) {
      for (const one of type === 'email' ? EMAILS : PHONES) {
        const body = to(message(type, parts), [one]);
        const { amount, max } = await estimate(body);
        const receipt = await send(body);
        const bill = await billed('s.id = $1', receipt.id);
        const isPriced = isIncluded(type) ? bill === 0 : bill > 0;
        if (receipt.status === 'failed' || !isPriced || bill !== amount || max !== amount)
          wrong.push({ type, name, one, amount, max, bill, receipt });
        sums.set(`${type} ${name} ${one}`, bill);
      }
    }
  }
  expect(wrong).toEqual([]);
  // The cases differ: segments multiply, and prices depend on the operator.
  const sms = (name: string) => PHONES.map((phone) => sums.get(`sms ${name} ${phone}`)!);
  expect(new Set(sms('short')).size).toBe(PHONES.length);
  expect(sms('long')).toEqual(sms('short').map((sum) => Math.round(sum * 30) / 10));
}, 240_000);

test('a bulk costs its estimate, and with all fallbacks its maximum', async () => {
  const started: { what: string; id: string; said: number[] }[] = [];
  for (const type of types) {
    const other = type === 'email' ? 'email' : type === 'sms' ? 'viber' : 'sms';
    // The second attempt follows any outcome of the first.
    const fallback = {
      ...emptyFallback(other),
      payload: { ...NO_PAYLOAD, sender: 'MIRTEA', text: LONG },
      onStatus: [...FALLBACK_STATUSES],
    };
    for (const [name, parts] of Object.entries(variants(type))) {
      const values = { ...message(type, parts), fallbacks: [fallback] };
      const body = to(values, type === 'email' ? EMAILS : PHONES);
      const { amount, max, operators } = await estimate(body);
      const shares = operators.flatMap(({ lines }) => lines.map((line) => line.amount));
      expect(Math.round(shares.reduce((sum, share) => sum + share, 0) * 100) / 100).toBe(amount);
      started.push({
        what: `${type} ${name}`,
        id: (await send(body)).groupId!,
        said: [amount, max],
      });
    }
  }
  const chain = `coalesce(s.chain_id, s.id) in (select id from sendings where group_id = $1)`;
  const bills = () =>
    Promise.all(
      started.map(async ({ what, id }) => {
        const first = await billed(`s.attempt = 0 and ${chain}`, id);
        return [what, first, await billed(chain, id)];
      }),
    );
  await expect
    .poll(bills, { timeout: 120_000, interval: 2000 })
    .toEqual(started.map(({ what, said }) => [what, ...said]));
  // Their ends notify every page of the account, so they must be over before the next journey.
  const open = async () => {
    const { rows } = await browser.db.query(
      `select count(*)::int as n from tasks t join users u on u.id = t.owner_id
        where u.username = 'customer' and t.state = 'running'`,
    );
    return rows[0].n as number;
  };
  await expect.poll(open, { timeout: 60_000, interval: 500 }).toBe(0);
}, 240_000);
