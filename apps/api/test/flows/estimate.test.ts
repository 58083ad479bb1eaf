import { sendings, type Estimate } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve, contactList, setCarrier } from '../factories.ts';
import { raw } from '../raw.ts';
import { type Person, World } from '../world.ts';

let world: World;
let owner: Person;
let stranger: Person;
let unpriced: Person;
let unconfirmed: Person;

beforeAll(async () => {
  world = await World.start();
  await setCarrier(world, {});
  [owner, stranger, unpriced, unconfirmed] = await Promise.all([
    world.person({ balance: 1000 }),
    world.person(),
    world.person(),
    world.person(),
  ]);
  for (const { id } of [owner, unpriced, unconfirmed]) await approve(world, id);
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [unpriced.id]);
  await world.db.query(`update users set phone_confirmed_at = null where id = $1`, [
    unconfirmed.id,
  ]);
  await contactList(world, owner.id, 1, { first: 500, type: 'blacklist' });
});
afterAll(() => world.stop());

const payload = { sender: 'MIRTEA', text: 'Tea is ready' };
const PHONE = '+79020000001';
const BLACKLISTED = '+79020000501';
const fallback = { type: 'viber', payload, $options: { onStatus: ['failed'] } };
const sms = (over: object = {}) => ({ type: 'sms', recipient: PHONE, payload, ...over });
const hours = (n: number) => new Date(world.clock.now().getTime() + n * 3_600_000).toISOString();

test('more than four estimates of an account at once are 429 with Retry-After', async () => {
  const calls = Array.from({ length: 12 }, () =>
    raw(world, owner, 'POST', '/sendings/estimate', sms()),
  );
  const answers = await Promise.all(calls);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused)
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
});

describe('an estimate is refused like its sending', () => {
  const cases: [string, () => object, (() => Person)?][] = [
    ['a type that the account does not send', () => sms({ type: 'wapi' })],
    ['such a type of a fallback', () => sms({ fallbacks: [{ ...fallback, type: 'wapi' }] })],
    ['four fallbacks', () => sms({ fallbacks: Array(4).fill(fallback) })],
    ['a fallback that nothing starts', () => sms({ fallbacks: [{ ...fallback, $options: {} }] })],
    ['a stretch of 13 hours', () => sms({ schedule: { until: 13 } })],
    ['a stretch to a time too far', () => sms({ schedule: { delay: 0, until: hours(13) } })],
    ['a start in the past', () => sms({ schedule: { delay: hours(-1) } })],
    ['a start too far', () => sms({ schedule: { delay: hours(24 * 367) } })],
    ['an unknown variable', () => sms({ payload: { ...payload, text: 'Hi {name}' } })],
    ['a field that the type has not', () => sms({ payload: { ...payload, subject: 'Tea' } })],
    ['another sender', () => sms({ payload: { ...payload, sender: 'OTHER' } })],
    ['no phone', () => sms({ recipient: '12' })],
    ['somebody on a blacklist', () => sms({ recipient: BLACKLISTED })],
    ['no price', () => sms(), () => unpriced],
    ['an account whose phone is not confirmed', () => sms(), () => unconfirmed],
    ['a list of another account', () => sms({ recipient: [stranger.id] })],
    [
      'somebody included and excluded',
      () => sms({ recipient: { include: [PHONE], exclude: ['8 902 000-00-01'] } }),
    ],
  ];
  const inBulk = (body: object) => {
    const { recipient } = body as { recipient: unknown };
    return { ...body, recipient: typeof recipient === 'string' ? [recipient] : recipient };
  };
  test.each(cases)('%s', async (_, bodyOf, whoOf = () => owner) => {
    for (const body of [bodyOf(), inBulk(bodyOf())]) {
      const sent = await raw(world, whoOf(), 'POST', '/sendings', body);
      const asked = await raw(world, whoOf(), 'POST', '/sendings/estimate', body);
      expect([400, 403, 404, 422]).toContain(sent.status);
      expect(asked.json).toMatchObject({ code: sent.json.code });
      expect(asked.status).toBeGreaterThanOrEqual(400);
      expect(asked.json.data).toEqual(sent.json.data);
      expect(asked.json.payload).toEqual(sent.json.payload);
    }
  });

  test('except for insufficient funds, which it reports', async () => {
    const poor = await world.person({ balance: 1 });
    await approve(world, poor.id);
    expect(await poor.api(sendings.estimate, { body: sms() as never })).toMatchObject({
      recipients: 1,
      enough: false,
    });
  });
});

describe('phones without a calling code', () => {
  const estimate = (who: Person, recipient: unknown): Promise<Estimate> =>
    who.api(sendings.estimate, { body: { ...sms(), type: 'viber', recipient } as never });
  /** An account whose own phone is of a country. */
  const of = async (phone: string) => {
    const who = await world.person();
    await world.db.query(
      `update users set data = data || jsonb_build_object('phone', $2::text) where id = $1`,
      [who.id, phone],
    );
    return who;
  };

  test('belong to the country of the account, which the estimate reports', async () => {
    const indian = await of('+919123456789');
    const vietnamese = await of('+84912345678');
    const typed = ['98765 43210', '8 916 123-45-67', '+7 916 123-45-68', '84 98 765 43 21'];
    const assumed = (who: Person) => estimate(who, typed).then((e) => e.assumed);
    expect(await assumed(owner)).toEqual([{ country: 'RU', count: 3 }]);
    expect(await assumed(indian)).toEqual([
      { country: 'IN', count: 1 },
      { country: 'RU', count: 1 },
    ]);
    expect((await estimate(vietnamese, '84 98 765 43 21')).assumed).toEqual([]);
    expect((await estimate(indian, '98765 43210')).assumed).toEqual([{ country: 'IN', count: 1 }]);
    expect((await estimate(owner, '+79161234567')).assumed).toEqual([]);
  });

  test('are applied', async () => {
    const indian = await of('+919123456789');
    for (const recipient of ['98765 43210', ['98765 43210']]) {
      const body = { ...sms(), type: 'viber', recipient };
      const { json } = await raw(world, indian, 'POST', '/sendings?return=each', body);
      expect(json).toMatchObject([{ recipient: '+919876543210', status: 'pending' }]);
    }
    const single = await raw(world, indian, 'POST', '/sendings', {
      ...sms(),
      type: 'viber',
      recipient: '98765 43210',
    });
    expect(single.json).toMatchObject({ recipient: '+919876543210', status: 'pending' });
  });
});
