import { tariffs } from '@heliograph/contract';
import { amountOf, parseMoney, type PriceQuery } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, World } from '../../../test/world.ts';
import { TariffsService } from './tariffs.service.ts';

let world: World;
let customer: Person;
let reseller: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  customer = await world.person({ resellerId: reseller.id });
});
afterAll(() => world.stop());

async function give(who: Person, source: string, priority: number, price: string): Promise<string> {
  const [tariff] = await world.db.query<{ id: string }>(
    `insert into tariffs (title, source) values ('Special', $1) returning id`,
    [source],
  );
  await world.db.query(
    `insert into tariff_rules (tariff_id, action, price) values ($1, 'increase', $2)`,
    [tariff!.id, price],
  );
  await world.db.query(`insert into users_tariffs values ($1, $2, $3)`, [
    who.id,
    tariff!.id,
    priority,
  ]);
  return tariff!.id;
}

const query: PriceQuery = {
  type: 'sms',
  sender: 'MIRTEA',
  phone: '+79001234567',
  text: 'Tea',
  mccmnc: '25020',
  contactLists: [],
  group: null,
};

test('an owner sees its tariffs with the rules that hold for it; a reseller those of a customer', async () => {
  const id = await give(customer, 'viber', 7, '{1.75}');
  const page = await customer.api(tariffs.find, {
    query: { order: [{ field: 'title', direction: 'asc' }] },
  });
  expect(page).toMatchObject({ total: 2, limit: 20 });
  expect(page.data.map((t) => t.title)).toEqual(['Special', 'Standard']);
  const rules = [
    { id: expect.any(String), action: 'increase', price: 1.75, conditions: [], priority: 0 },
  ];
  expect(page.data[0]!.usersTariffs).toEqual([
    {
      id,
      title: 'Special',
      source: 'viber',
      priority: 7,
      version: 1,
      isOfReseller: false,
      finalRules: rules,
      data: { rules },
      volumeSteps: [],
    },
  ]);
  const filter = { OwnerId: customer.id, source: 'viber' };
  expect((await reseller.api(tariffs.find, { query: { filter } })).data[0]!.id).toBe(id);
  expect((await reseller.api(tariffs.find, { query: { search: 'spec' } })).total).toBe(0);
  const byId = (OwnerId: string) =>
    reseller.api(tariffs.find, { query: { filter: { id, OwnerId } } });
  expect((await byId(customer.id)).data.map((t) => t.id)).toEqual([id]);
  expect((await byId(reseller.id)).total).toBe(0);
});

test('the price book knows operators, decreases and voice by the second', async () => {
  const service = world.api.get(TariffsService);
  const book = await service.priceBook(customer.id);
  expect(book.price(query)!.price).toEqual([parseMoney(2.8)]);
  expect(book.price({ ...query, mccmnc: '40101' })!.price).toEqual([parseMoney(9.5)]);
  expect(book.price({ ...query, sender: 'DEMO', mccmnc: null })!.price).toEqual([parseMoney(3.3)]);
  const voice = book.price({ ...query, type: 'voice' })!.price;
  expect(amountOf(voice, 60, 'voice')).toBe(parseMoney(6));
});

test('a price book is cached while its rules stay and follows changes within a second', async () => {
  const service = world.api.get(TariffsService);
  const other = await world.person();
  const before = await service.priceBook(other.id);
  await new Promise((resolve) => setTimeout(resolve, 1050));
  expect(await service.priceBook(other.id)).toBe(before);
  await give(other, 'sms', 5, '{1.1}');
  await new Promise((resolve) => setTimeout(resolve, 1050));
  const after = await service.priceBook(other.id);
  expect(after.price(query)!.price).toEqual([parseMoney(1.1)]);
  // The special one is for texts; a call is still priced by the standard.
  expect(after.price({ ...query, type: 'hlr' })!.price).toEqual([parseMoney(0.35)]);
});

test('an account without a tariff has no prices', async () => {
  const other = await world.person();
  await world.db.query(`delete from users_tariffs where owner_id = $1`, [other.id]);
  const book = await world.api.get(TariffsService).priceBook(other.id);
  expect(book.price(query)).toBeNull();
});
