import { contracts, documentTemplates, requisites, storage } from '@heliograph/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCompany, sidesOf } from '../../../../test/samples/documents.ts';
import { type Person, World } from '../../../../test/world.ts';

let world: World;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
beforeEach(async () => {
  customer = await world.person();
});

type Sides = { requisiteId: string; companyId: string };
const generate = async (sides: Sides, who = customer) => {
  const body = { ...sides, type: 'contract' as const };
  return (await who.api(documentTemplates.generate, { body })).id;
};
const all = async (query = {}) => (await customer.api(contracts.find, { query })).data;
const hasFile = (id: string) =>
  customer.api(storage.get, { params: { id }, query: { return: 'meta' } }).then(
    () => true,
    (error: { status: number }) => error.status !== 404,
  );

test('a generated contract is listed with its sides and its document, and found', async () => {
  const sides = await sidesOf(world, customer);
  const FileId = await generate(sides);
  const [contract] = await all();
  expect(contract).toMatchObject({
    title: expect.stringMatching(/^Договор [0-9A-F]{4}-[0-9A-F]{4}, ./),
    tags: [],
    RequisiteId: sides.requisiteId,
    CompanyId: sides.companyId,
    FileId,
    OwnerId: customer.id,
  });
  const params = { id: contract!.id };
  const body = { title: 'Tea of 2026', tags: ['spring', 'Важное'] };
  expect(await customer.api(contracts.update, { params, body })).toMatchObject(body);
  const other = await sidesOf(world, customer);
  await generate(other);
  const found = async (query: object) => (await all(query)).map(({ RequisiteId }) => RequisiteId);
  expect(await found({ filter: { RequisiteId: other.requisiteId } })).toEqual([other.requisiteId]);
  expect(await found({ filter: { CompanyId: [sides.companyId] } })).toEqual([sides.requisiteId]);
  expect(await found({ search: 'важное' })).toEqual([sides.requisiteId]);
  expect(await found({ search: 'TEA OF' })).toEqual([sides.requisiteId]);
  expect(await found({ search: 'coffee' })).toEqual([]);
});

test('made again it is the same contract with a new document, also at once', async () => {
  const sides = await sidesOf(world, customer);
  const first = await generate(sides);
  const [contract] = await all();
  await customer.api(contracts.update, { params: { id: contract!.id }, body: { title: 'Mine' } });
  const second = await generate(sides);
  expect(await all()).toMatchObject([{ id: contract!.id, title: 'Mine', FileId: second }]);
  expect([await hasFile(first), await hasFile(second)]).toEqual([false, true]);
  const made = await Promise.all([generate(sides), generate(sides), generate(sides)]);
  const [last, ...others] = await all();
  expect(others).toEqual([]);
  expect(made).toContain(last!.FileId);
  const kept = await Promise.all(made.map(hasFile));
  expect(kept.filter(Boolean)).toHaveLength(1);
  await generate({ ...sides, companyId: await createCompany(world) });
  expect(await all()).toHaveLength(2);
});

test('its document stays as long as it does, also without its requisites', async () => {
  const sides = await sidesOf(world, customer);
  const FileId = await generate(sides);
  const file = { params: { id: FileId } };
  await expect(customer.api(storage.remove, file)).rejects.toMatchObject({ code: 'in_use' });
  await customer.api(requisites.remove, { params: { id: sides.requisiteId } });
  const [contract] = await all();
  expect(contract).toMatchObject({ RequisiteId: sides.requisiteId, FileId });
  await customer.api(contracts.remove, { params: { id: contract!.id } });
  expect([await all(), await hasFile(FileId)]).toEqual([[], false]);
});

test('a reseller has the contracts of its customers, another account has none', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const own = await world.person({ resellerId: reseller.id });
  const stranger = await world.person();
  await generate(await sidesOf(world, own), own);
  const seen = await Promise.all(
    [reseller, stranger].map(async ({ api }) => {
      const { data } = await api(contracts.find, { query: {} });
      return data.map(({ OwnerId, Owner }) => [OwnerId, Owner?.username]);
    }),
  );
  expect(seen).toEqual([[[own.id, own.username]], []]);
});
