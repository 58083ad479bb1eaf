import {
  ADMINISTRATOR_GRANTS,
  storage,
  tariffs,
  type ApiError,
  type TariffInput,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../../../../test/scene.ts';
import { type Person, World } from '../../../../test/world.ts';

let world: World;
let administrator: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
});
afterAll(() => world.stop());

async function preview(text: string, rules: TariffInput['rules'] = [], by = administrator) {
  const { id: key } = await by.api(storage.create, { body: upload(text) });
  return by.api(tariffs.priceList, { body: { from: { key }, rules } });
}
const message = { type: 'sms' as const, sender: 'A', text: 'Tea' };
const probe = async (rules: TariffInput['rules'], recipient: string) =>
  (
    await administrator.api(tariffs.probe, {
      body: { ...message, recipient, draft: { source: 'any', rules } },
    })
  ).price;

test('a price list becomes rules that price its networks, with what changes, what is unknown and what is left out', async () => {
  const old = {
    action: 'increase' as const,
    price: 5,
    priority: 2,
    conditions: [{ tag: 'mccmnc' as const, value: ['25001', '25002'] }],
  };
  const year = new Date().getUTCFullYear() + 2;
  const found = await preview(
    [
      'Our prices for partners',
      'MCC;MNC;Operator;Prefix;Price, RUB;Valid from',
      '250;1;MTS;;2,50;',
      '250;;Russia;;3,1;',
      `250;1;MTS;;2,75;${year}-02-01`,
      ';;Kazakhstan;7700;4,125;',
      '999;99;Nowhere;;1,0;',
      '250;1;MTS;;9,9;',
      '250;2;;;free;',
      '25;2;;;1,0;',
    ].join('\n'),
    [old],
  );
  expect(found).toMatchObject({
    rows: 5,
    unknown: ['99999'],
    rejectedCount: 3,
    rejected: [
      { row: 8, reason: 'repeated' },
      { row: 9, reason: 'price' },
      { row: 10, reason: 'network' },
    ],
  });
  expect(found.versions.map(({ from }) => from)).toEqual([null, `${year}-02-01`]);
  const [now, later] = found.versions;
  expect(now!.changes).toContainEqual({ type: null, target: '25001', before: 5, after: 2.5 });
  expect(now!.changes).toContainEqual({ type: null, target: '25002', before: 5, after: null });
  expect(now!.changes).toContainEqual({ type: null, target: '+7700', before: null, after: 4.125 });
  expect(later!.changes).toEqual([{ type: null, target: '25001', before: 2.5, after: 2.75 }]);
  // What is shown is what a tariff takes, and prices.
  const { id } = await administrator.api(tariffs.create, {
    body: { title: 'List', source: 'any', isDefault: false, rules: now!.rules },
  });
  expect(id).toBeTruthy();
  expect(await probe(now!.rules, '+77001234567')).toEqual([4.125]);
  const { mccmnc } = await administrator.api(tariffs.probe, {
    body: { ...message, recipient: '+79161234567' },
  });
  expect(await probe(now!.rules, '+79161234567')).toEqual([mccmnc === '25001' ? 2.5 : 3.1]);
});

test('prices of calls have intervals, and are shown with them', async () => {
  const call = {
    action: 'increase' as const,
    price: [1, 0.1],
    priority: 0,
    conditions: [{ tag: 'type' as const, value: 'voice' }],
  };
  const found = await preview(
    [
      'Type;Prefix;Price;Price per second;Billing increment',
      'voice;;1;0,1;60/1',
      'voice;7700;;0,25;6/6',
      'voice;7701;1;0,1;per minute',
      'sms;;3;;',
    ].join('\n'),
    [call],
  );
  expect(found.rejected).toEqual([{ row: 4, reason: 'intervals' }]);
  const [{ rules, changes }] = found.versions as [(typeof found.versions)[number]];
  const byLength = { first: 60, interval: 1 };
  expect(rules).toContainEqual({ ...call, byLength });
  expect(changes).toContainEqual({
    type: 'voice',
    target: null,
    before: 1,
    after: 1,
    call: { before: { perSecond: 0.1 }, after: { perSecond: 0.1, byLength } },
  });
  const { rules: stored } = await administrator.api(tariffs.create, {
    body: { title: 'Calls', source: 'any', isDefault: false, rules },
  });
  expect(stored).toContainEqual(
    expect.objectContaining({ price: [0, 0.25], byLength: { first: 6, interval: 6 } }),
  );
});

test.each([
  ['without a column of prices', 'mcc,mnc\n250,1\n', 'unreadable_file'],
  ['with prices of nothing', 'price\n1\n', 'unreadable_file'],
])('a file %s is refused', async (_, text, code) => {
  const error = await preview(text).catch((e: ApiError) => e);
  expect((error as ApiError).code).toBe(code);
});

test('a file of another account is not read', async () => {
  const other = await world.person();
  const { id: key } = await other.api(storage.create, { body: upload('mcc,mnc,price\n250,1,3\n') });
  const limited = await world.person({
    level: 'manager',
    grants: { add: ['tariffs.update'] },
  });
  const call = (by: Person) =>
    by
      .api(tariffs.priceList, { body: { from: { key }, rules: [] } })
      .catch((e: ApiError) => e.code);
  expect(await call(limited)).toBe('not_found');
  expect(await call(other)).toBe('forbidden');
});
