import { sendernames, type EventBody } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { reasonsOf } from '../../../test/settled.ts';
import { type Person, until, World } from '../../../test/world.ts';

let world: World;
let customer: Person;
let reseller: Person;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
  reseller = await world.person({ level: 'reseller' });
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  customer = await world.person({ resellerId: reseller.id });
});
afterAll(() => world.stop());

const input = {
  name: 'MIRTEA',
  type: 'sms' as const,
  meta: { comment: 'Tea House LLC, INN 7700000009' },
};

test('a name is registered, listed, edited and removed by its owner', async () => {
  const created = await customer.api(sendernames.create, { body: input });
  expect(created).toMatchObject({
    name: 'MIRTEA',
    moderation: 'pending',
    isActive: true,
    OwnerId: customer.id,
  });
  const page = await customer.api(sendernames.find, {
    query: { filter: { type: ['sms'] }, search: 'mirt' },
  });
  expect(page).toMatchObject({ total: 1, limit: 16, offset: 0, data: [{ id: created.id }] });
  const edited = await customer.api(sendernames.update, {
    params: { id: created.id },
    body: { isActive: false },
  });
  expect(edited).toMatchObject({ isActive: false, meta: { comment: input.meta.comment } });
  await customer.api(sendernames.remove, { params: { id: created.id } });
  await expect(customer.api(sendernames.get, { params: { id: created.id } })).rejects.toMatchObject(
    { status: 404 },
  );
});

test('an update can name the name and the type of the row, and no others', async () => {
  const { id, name, type, meta } = await customer.api(sendernames.create, {
    body: { ...input, name: 'KEPT' },
  });
  const update = (body: object) => customer.api(sendernames.update, { params: { id }, body });
  const comment = `${input.meta.comment}. Contract 12`;
  expect(await update({ name, type, meta: { comment } })).toMatchObject({ meta: { comment } });
  const refusal = (field: string) => ({
    status: 422,
    body: { data: [expect.objectContaining({ field, type: 'invalid_value' })] },
  });
  await expect(update({ name: 'OTHER', type })).rejects.toMatchObject(refusal('name'));
  await expect(update({ name, type: 'voice' })).rejects.toMatchObject(refusal('type'));
  // As a row that is put back.
  const row = { id, name: 'OTHER', type, meta: { comment: meta.comment } };
  await expect(update(row)).rejects.toMatchObject(refusal('name'));
  expect(await customer.api(sendernames.get, { params: { id } })).toMatchObject({
    name,
    type,
    meta: { comment },
  });
});

test('a name can be registered inactive, and names are found by whether they are active', async () => {
  const { id } = await customer.api(sendernames.create, {
    body: { ...input, name: 'RESTING', isActive: false },
  });
  const found = async (isActive: boolean) => {
    const query = { filter: { isActive }, search: 'RESTING' };
    return (await customer.api(sendernames.find, { query })).data.map((row) => row.id);
  };
  expect(await found(false)).toEqual([id]);
  expect(await found(true)).toEqual([]);
  const attached = { scope: ['attached' as const], search: 'RESTING' };
  expect((await customer.api(sendernames.find, { query: attached })).data).toEqual([]);
});

test('the owner of a name is returned to resellers and managers', async () => {
  const { id } = await customer.api(sendernames.create, { body: { ...input, name: 'WHOSE' } });
  const get = (who: Person) => who.api(sendernames.get, { params: { id } });
  expect(
    (await reseller.api(sendernames.find, { query: { search: 'WHOSE' } })).data[0],
  ).toMatchObject({
    Owner: { id: customer.id, username: customer.username },
  });
  expect(await get(reseller)).toMatchObject({ Owner: { id: customer.id } });
  expect(await get(customer)).not.toHaveProperty('Owner');
});

test.each([
  ['abc', 'length'],
  ['ПРИВЕТ', 'characters'],
  ['123', 'length'],
])('the name %s is refused by the rule %s', async (name, rule) => {
  const refused = customer.api(sendernames.create, { body: { ...input, name } });
  await expect(refused).rejects.toMatchObject({
    status: 422,
    body: {
      data: expect.arrayContaining([expect.objectContaining({ field: 'name', type: rule })]),
    },
  });
});

test('a comment must contain a company and its tax id, on create and on update', async () => {
  const refusal = (rule: string) => ({
    status: 422,
    body: { data: [expect.objectContaining({ field: 'meta.comment', type: rule })] },
  });
  const ask = (comment: string) =>
    customer.api(sendernames.create, { body: { ...input, name: 'TAXID', meta: { comment } } });
  await expect(ask('7700000009')).rejects.toMatchObject(refusal('company'));
  await expect(ask('Tea House LLC')).rejects.toMatchObject(refusal('tax_id'));
  await expect(ask('Tea House LLC, INN 7700000008')).rejects.toMatchObject(refusal('inn'));
  const { id } = await ask('Tea House GmbH, DE123456789');
  const change = (comment: string) =>
    customer.api(sendernames.update, { params: { id }, body: { meta: { comment } } });
  await expect(change('Contract 12 is sent')).rejects.toMatchObject(refusal('tax_id'));
  await change('Tea House LLC, INN 7700000009. Contract 12 is sent');
});

test('a name of digits is registered', async () => {
  const body = { ...input, name: '12345' };
  expect(await customer.api(sendernames.create, { body })).toMatchObject({ name: '12345' });
});

test('the same name twice is refused', async () => {
  await customer.api(sendernames.create, { body: { ...input, name: 'TWICE' } });
  await expect(
    customer.api(sendernames.create, { body: { ...input, name: 'twice' } }),
  ).rejects.toMatchObject({ status: 422 });
});

test('of concurrent registrations of a name one succeeds, the others are refused', async () => {
  const ask = () => customer.api(sendernames.create, { body: { ...input, name: 'ATONCE' } });
  const answers = await Promise.allSettled(Array.from({ length: 8 }, ask));
  expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
  for (const { status } of reasonsOf(answers)) expect([409, 422]).toContain(status);
});

test('a reseller moderates with public and private comments, a manager overrules, an edit requires moderation again', async () => {
  const { id } = await customer.api(sendernames.create, { body: { ...input, name: 'MODERATE' } });
  const params = { id };
  const moderate = (who: Person, moderation: 'approved' | 'rejected', notes: object = {}) =>
    who.api(sendernames.moderate, { params, body: { moderation, ...notes } });

  await expect(moderate(customer, 'approved')).rejects.toMatchObject({ status: 403 });
  await moderate(reseller, 'rejected', {
    comment: 'Send the contract',
    privateComment: 'looks odd',
  });
  expect((await customer.api(sendernames.get, { params })).meta).toEqual({
    comment: input.meta.comment,
    adminComment: null,
    resellerComment: 'Send the contract',
  });
  expect((await reseller.api(sendernames.get, { params })).meta.resellerPrivateComment).toBe(
    'looks odd',
  );
  await expect(moderate(reseller, 'approved')).rejects.toMatchObject({ status: 409 });

  const asked = await customer.api(sendernames.update, {
    params,
    body: { meta: { comment: `${input.meta.comment}. Contract 12 is sent` } },
  });
  expect(asked.moderation).toBe('pending');
  expect((await moderate(reseller, 'approved')).moderation).toBe('approved');
  await expect(moderate(reseller, 'rejected')).rejects.toMatchObject({ status: 409 });
  expect((await moderate(manager, 'rejected', { privateComment: 'for us' })).moderation).toBe(
    'rejected',
  );
  expect((await reseller.api(sendernames.get, { params })).meta).not.toHaveProperty(
    'adminPrivateComment',
  );

  const notified = await world.db.query(
    `select type, data->>'id' as id from notifications where owner_id = $1 order by id`,
    [customer.id],
  );
  expect(notified.map((t) => t.type)).toEqual([
    'SendernameRejected',
    'SendernameApproved',
    'SendernameRejected',
  ]);
  expect(new Set(notified.map((t) => t.id))).toEqual(new Set([params.id]));
});

test('events have the owner of a sender name for resellers, not for the owner', async () => {
  type Body = EventBody<'sendernames'>;
  const hear = (who: Person) => listen<Body>(world, who, 'sendernames.created');
  const [above, own] = [await hear(reseller), await hear(customer)];
  const { id } = await customer.api(sendernames.create, { body: { ...input, name: 'HEARD' } });
  const rowIn = (heard: Body[]) =>
    heard.flatMap((body) => ('items' in body ? body.items : [])).find((item) => item.id === id);
  await until(async () => rowIn(above) && rowIn(own), 'the events');
  expect(rowIn(above)).toMatchObject({
    Owner: { id: customer.id, username: customer.username },
  });
  expect(rowIn(own)).not.toHaveProperty('Owner');
});

test('the scope “attached” is names in use of one account, `meta` changes nothing', async () => {
  const owner = await world.person({ resellerId: reseller.id });
  const make = (who: Person, name: string) =>
    who.api(sendernames.create, { body: { ...input, name } });
  const [used] = [await make(owner, 'INUSE'), await make(reseller, 'ABOVE')];
  const { id } = await make(owner, 'ASIDE');
  await owner.api(sendernames.update, { params: { id }, body: { isActive: false } });
  const names = async (who: Person, scope: ('attached' | 'meta')[], OwnerId?: string) => {
    const filter = OwnerId ? { OwnerId } : {};
    const page = await who.api(sendernames.find, { query: { scope, filter } });
    expect(page.total).toBe(page.data.length);
    return page.data.map(({ name }) => name).sort();
  };
  expect(await names(owner, ['meta'])).toEqual(['ASIDE', 'INUSE']);
  expect(await names(owner, ['attached', 'meta'])).toEqual([used.name]);
  expect(await names(reseller, ['attached'])).toEqual(['ABOVE']);
  expect(await names(reseller, ['attached'], owner.id)).toEqual([used.name]);
});

test('a comment can be changed, in either field, but not removed', async () => {
  const { id } = await customer.api(sendernames.create, { body: { ...input, name: 'COMMENT' } });
  const update = (body: object) => customer.api(sendernames.update, { params: { id }, body });
  for (const [body, field] of [
    [{ meta: { comment: ' ' } }, 'meta.comment'],
    [{ comment: '' }, 'comment'],
  ] as const) {
    await expect(update(body)).rejects.toMatchObject({
      status: 422,
      body: { data: ['company', 'tax_id'].map((type) => ({ field, type })) },
    });
  }
  expect((await update({ meta: {}, isActive: true })).meta.comment).toBe(input.meta.comment);
  const [beside, within] = ['Beside', 'Within'].map((name) => `${name}, INN 7700000009`) as [
    string,
    string,
  ];
  expect((await update({ comment: beside })).meta.comment).toBe(beside);
  expect((await update({ meta: { comment: within } })).meta.comment).toBe(within);
});
