import { companies, documentTemplates, storage } from '@heliograph/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMPANY_DATA, createCompany } from '../../../../test/samples/documents.ts';
import { type Person, World } from '../../../../test/world.ts';

let world: World;
let reseller: Person;
let administrator: Person;
let manager: Person;
let customer: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  administrator = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  manager = await world.person({ level: 'manager' });
  customer = await world.person({ resellerId: reseller.id, managerId: manager.id });
});
afterAll(() => world.stop());

const body = { title: 'Heliograph', taxSystem: 'general' as const, data: COMPANY_DATA };

describe('a company', () => {
  test('of every account is created by administrators, with templates of all types', async () => {
    const created = await administrator.api(companies.create, { body });
    expect(created).toMatchObject({
      vat: true,
      OwnerId: null,
      DocumentTemplatesTypes: ['act', 'contract', 'invoice'],
    });
    expect(await customer.api(companies.get, { params: { id: created.id } })).toMatchObject({
      title: 'Heliograph',
    });
    await expect(manager.api(companies.create, { body })).rejects.toMatchObject({ status: 403 });
    await expect(
      manager.api(companies.update, { params: { id: created.id }, body: { title: 'Mine' } }),
    ).rejects.toMatchObject({ status: 403 });
    await expect(customer.api(companies.create, { body })).rejects.toMatchObject({ status: 403 });
  });

  test('of a reseller is seen by its customers and by nobody else', async () => {
    const id = await createCompany(world, { OwnerId: reseller.id });
    const get = (who: Person) => who.api(companies.get, { params: { id } });
    expect(await get(customer)).toMatchObject({ OwnerId: reseller.id });
    expect(await get(customer)).not.toHaveProperty('Owner');
    expect(await get(reseller)).toMatchObject({ Owner: { id: reseller.id } });
    await expect(get(await world.person())).rejects.toMatchObject({ status: 404 });
  });

  test('is found by VAT, type, the owner `global` and the account that it issues documents to', async () => {
    const simplified = await createCompany(world, { taxSystem: 'simplified' });
    const own = await createCompany(world, { OwnerId: customer.id });
    const ids = async (who: Person, filter: object) =>
      (await who.api(companies.find, { query: { filter, limit: 200 } })).data.map(({ id }) => id);
    expect(await ids(customer, { vat: 'false' })).toContain(simplified);
    expect(await ids(customer, { vat: 'false' })).not.toContain(own);
    expect(await ids(customer, { type: ['invoice'] })).toContain(own);
    expect(await ids(customer, { OwnerId: 'global' })).not.toContain(own);
    expect(await ids(reseller, { customerId: customer.id })).toContain(own);
    await expect(ids(customer, { customerId: reseller.id })).rejects.toMatchObject({ status: 404 });
  });

  test('with wrong numbers is refused', async () => {
    const { legal, bank } = COMPANY_DATA;
    const create = (data: object) =>
      administrator.api(companies.create, {
        body: { ...body, data: { ...COMPANY_DATA, ...data } },
      });
    for (const [data, field] of [
      [{ legal: { ...legal, inn: '7700000008' } }, 'data.legal.inn'],
      [{ legal: { ...legal, kpp: '12' } }, 'data.legal.kpp'],
      [{ bank: { ...bank, rs: '40702810200000012346' } }, 'data.bank.rs'],
      [{ bank: { ...bank, bik: '044525' } }, 'data.bank.bik'],
    ] as const)
      await expect(create(data)).rejects.toMatchObject({
        status: 422,
        body: { data: expect.arrayContaining([expect.objectContaining({ field })]) },
      });
  });
});

describe('a document template', () => {
  const text = (value: string) => [{ kind: 'text' as const, text: value }];
  const create = (CompanyId: string, blocks: unknown, more: object = {}) =>
    administrator.api(documentTemplates.create, {
      body: { title: 'New', type: 'invoice', CompanyId, blocks, ...more } as never,
    });

  test('with unknown variables, unknown blocks, nesting or megabytes is refused', async () => {
    const CompanyId = await createCompany(world);
    const refused = (blocks: unknown) => create(CompanyId, blocks, { isActive: false });
    await expect(refused(text('{process.env}'))).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'blocks.0.text', type: 'unknown_variable' }] },
    });
    await expect(refused(text('→ {number}'))).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'blocks.0.text', type: 'unprintable' }] },
    });
    await expect(refused([{ kind: 'script' }])).rejects.toMatchObject({ status: 422 });
    await expect(
      refused([{ kind: 'text', text: 'a', stack: [{ kind: 'text' }] }]),
    ).rejects.toMatchObject({ status: 422 });
    await expect(refused(Array(101).fill({ kind: 'line' }))).rejects.toMatchObject({ status: 422 });
    await expect(refused(text('a'.repeat(4001)))).rejects.toMatchObject({ status: 422 });
    await expect(refused(text('a'.repeat(3_000_000)))).rejects.toMatchObject({ status: 413 });
    let nested: unknown = 'x';
    for (let n = 0; n < 100; n++) nested = [nested];
    await expect(refused(nested)).rejects.toMatchObject({
      status: expect.toSatisfy((s) => s === 400 || s === 422),
    });
    expect(await refused(text('{number}'))).toMatchObject({ isActive: false });
  });

  test('is the only active one of its type and company', async () => {
    const CompanyId = await createCompany(world);
    await expect(create(CompanyId, text('{number}'))).rejects.toMatchObject({
      status: 422,
      body: { data: [{ field: 'isActive', type: 'unique' }] },
    });
    const { id } = await create(CompanyId, text('{number}'), { isActive: false });
    const update = (changes: object) =>
      administrator.api(documentTemplates.update, { params: { id }, body: changes });
    await expect(update({ blocks: text('{amount}') })).rejects.toMatchObject({ status: 422 });
    expect(await update({ type: 'invoice', blocks: text('{amount}') })).toMatchObject({
      blocks: text('{amount}'),
    });
    await expect(update({ type: 'act', blocks: text('{amount}') })).rejects.toMatchObject({
      status: 422,
    });
  });

  test('replaces the former one when it is activated, also when two are activated at once', async () => {
    const CompanyId = await createCompany(world);
    const drafts = await Promise.all(
      ['first', 'second'].map((title) =>
        create(CompanyId, text('{number}'), { title, isActive: false }),
      ),
    );
    await Promise.all(
      drafts.map(({ id }) =>
        administrator.api(documentTemplates.update, { params: { id }, body: { isActive: true } }),
      ),
    );
    const { data } = await administrator.api(documentTemplates.find, {
      query: { filter: { CompanyId: [CompanyId], type: ['invoice'] } },
    });
    expect(data).toHaveLength(3);
    expect(data.filter(({ isActive }) => isActive)).toHaveLength(1);
    expect(data.find(({ title }) => title === 'invoice')).toMatchObject({ isActive: false });
  });

  test('that is in use is not deleted', async () => {
    const CompanyId = await createCompany(world);
    const { data } = await administrator.api(documentTemplates.find, {
      query: { filter: { CompanyId: [CompanyId], type: ['act'] } },
    });
    const { id } = data[0]!;
    const remove = () => administrator.api(documentTemplates.remove, { params: { id } });
    await expect(remove()).rejects.toMatchObject({ status: 409, code: 'conflict' });
    await administrator.api(documentTemplates.update, {
      params: { id },
      body: { isActive: false },
    });
    expect(await remove()).toEqual({ id });
  });

  test('is previewed as a file that expires', async () => {
    const CompanyId = await createCompany(world);
    const { documentId } = await administrator.api(documentTemplates.preview, {
      body: { type: 'act', CompanyId, blocks: text('{period}') },
    });
    const page = await administrator.api(storage.find, { query: { filter: { id: [documentId] } } });
    expect(page.data[0]).toMatchObject({ type: 'application/pdf', expiredAt: expect.any(String) });
  });

  test('is neither read nor changed by customers, and not by managers of other accounts', async () => {
    const CompanyId = await createCompany(world, { OwnerId: reseller.id });
    await expect(customer.api(documentTemplates.find, {})).rejects.toMatchObject({ status: 403 });
    const own = await manager.api(documentTemplates.find, {
      query: { filter: { CompanyId: [CompanyId] } },
    });
    expect(own.data).toEqual([]);
  });
});
