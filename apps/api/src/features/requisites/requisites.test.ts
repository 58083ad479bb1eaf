import { audit, requisites, storage } from '@heliograph/contract';
import { requisiteErrors, withControlDigit } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_REQUISITES } from '../../../../../seeds/demo-requisites.ts';
import { REQUISITE } from '../../../test/samples/requisites.ts';
import { World, type Person } from '../../../test/world.ts';

let world: World;
let who: Person;
beforeAll(async () => {
  world = await World.start({ QUOTA_REQUISITES: '10' });
  who = await world.person();
});
afterAll(() => world.stop());

const { legal, bank } = REQUISITE.data;
const create = (data: object = {}, more: object = {}) =>
  who.api(requisites.create, {
    body: { ...REQUISITE, ...more, data: { ...REQUISITE.data, ...data } },
  });
/** The fields of a refusal with their rules. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => [],
    ({ status, body }: { status: number; body: { data: { field: string; type: string }[] } }) => {
      expect(status).toBe(422);
      return body.data.map(({ field, type }) => `${field} ${type}`);
    },
  );

test('are created with normalized values, listed, changed and removed', async () => {
  const made = await create();
  expect(made).toMatchObject({
    title: 'ООО «Чайный дом»',
    type: 'business',
    contact: { phone: '+79005550103', email: 'anna@tea.example' },
    signer: { fullNameShort: { nominative: 'Седов Р. И.', genitive: 'Седова Р. И.' } },
    data: {
      legal: { ...legal, businessType: 'LEGAL' },
      tax: { system: null, vat: true },
      legalAddress: { phone: '+74950000000', phoneAdd: '12' },
      postalAddress: { phone: null, phoneAdd: null },
    },
    attachments: [],
    isActive: true,
    OwnerId: who.id,
  });
  const { id } = made;
  expect(await who.api(requisites.get, { params: { id } })).toEqual(made);
  for (const search of ['чайный', '7700000009']) {
    const found = await who.api(requisites.find, {
      query: { search, filter: { OwnerId: who.id } },
    });
    expect(found.data).toEqual([made]);
  }
  const data = { ...REQUISITE.data, legal: { ...legal, name: 'Чай «Гора»', kpp: '', okpo: null } };
  const changed = await who.api(requisites.update, { params: { id }, body: { data } });
  // The title follows the name until it is chosen.
  expect(changed).toMatchObject({
    title: 'ООО Чай «Гора»',
    contact: made.contact,
    data: { legal: { kpp: null, okpo: null } },
  });
  await who.api(requisites.update, { params: { id }, body: { title: 'Tea' } });
  const kept = await who.api(requisites.update, { params: { id }, body: { data: REQUISITE.data } });
  expect(kept.title).toBe('Tea');
  expect(await who.api(requisites.remove, { params: { id } })).toEqual({ id });
  await expect(who.api(requisites.get, { params: { id } })).rejects.toMatchObject({ status: 404 });
  const log = await who.api(audit.find, {});
  expect(log.data.map(({ action }) => action).filter((a) => a.startsWith('requisites'))).toEqual([
    'requisites.remove',
    'requisites.update',
    'requisites.update',
    'requisites.update',
    'requisites.create',
  ]);
});

test.each<[what: string, data: object, expected: string[]]>([
  [
    'an INN of 11 digits',
    { legal: { ...legal, inn: '77000000091' } },
    ['data.legal.inn inn_length'],
  ],
  ['a wrong INN', { legal: { ...legal, inn: '7700000001' } }, ['data.legal.inn inn_check']],
  ['a wrong OGRN', { legal: { ...legal, ogrn: '1027700132196' } }, ['data.legal.ogrn ogrn_check']],
  ['a wrong KPP', { legal: { ...legal, kpp: '77000100' } }, ['data.legal.kpp kpp_format']],
  ['a wrong OKPO', { legal: { ...legal, okpo: '00032538' } }, ['data.legal.okpo okpo_check']],
  [
    'a company as an entrepreneur',
    { legal: { ...legal, opf: 'ИП', kpp: null, okpo: null } },
    ['data.legal.inn inn_kind', 'data.legal.ogrn ogrn_kind', 'data.bank.rs account_kind'],
  ],
  [
    'a BIK of another bank',
    { bank: { ...bank, bik: '044525974' } },
    ['data.bank.rs account_bik', 'data.bank.ks account_bik'],
  ],
  [
    'an account with a wrong digit',
    { bank: { ...bank, rs: '40702810200000012346' } },
    ['data.bank.rs account_bik'],
  ],
  [
    'a postal code of five digits',
    { postalAddress: { ...REQUISITE.data.postalAddress, index: '10100' } },
    ['data.postalAddress.index invalid_format'],
  ],
  ['a longer number', { legal: { ...legal, inn: '7'.repeat(41) } }, ['data.legal.inn too_big']],
])('refuses %s', async (_, data, expected) => {
  expect(await refusal(create(data))).toEqual(expected);
});

test('reports the errors of all fields at once, with the texts of the specification', async () => {
  const contact = { ...REQUISITE.contact, phone: '12345', email: 'tea', lastName: '' };
  const call = create({ legal: { ...legal, inn: '1', name: ' ' } }, { contact });
  expect(await refusal(call)).toEqual([
    'contact.lastName too_small',
    'contact.phone phone',
    'contact.email email',
    'data.legal.name too_small',
    'data.legal.inn inn_length',
  ]);
  await expect(create({ legal: { ...legal, inn: '1' } })).rejects.toMatchObject({
    body: { data: [{ message: 'The INN must be 10 or 12 digits.' }] },
  });
});

test('an entrepreneur has 12 digits, an OGRNIP and an account of its kind; spaces are dropped', async () => {
  const person = {
    opf: 'ИП',
    name: 'Зернов Борис',
    inn: '5001 0073 2259',
    ogrn: '304500116000157',
  };
  const rs = withControlDigit('40802810000000012345', bank.bik);
  const made = await create({ legal: person, bank: { ...bank, rs } });
  expect(made).toMatchObject({
    title: 'ИП Зернов Борис',
    data: { legal: { inn: '500100732259', businessType: 'INDIVIDUAL' } },
  });
});

test('markup and separators in names are kept as text, control characters are refused', async () => {
  const name = '<b>Tea</b> | Sum=1 "; drop table';
  expect((await create({ legal: { ...legal, name } })).data.legal.name).toBe(name);
  for (const control of ['a\0', 'a\u0007b'])
    expect(await refusal(create({ legal: { ...legal, name: control } }))).toEqual([
      'data.legal.name text',
    ]);
});

test('attachments are files of the account', async () => {
  const body = new FormData();
  body.set('file', new Blob(['scan']), 'charter.txt');
  const { id } = await who.api(storage.create, { body: body as never, query: {} });
  expect((await create({}, { attachments: [id] })).attachments).toEqual([id]);
  const other = await world.person();
  await expect(
    other.api(requisites.create, { body: { ...REQUISITE, attachments: [id] } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('belong to their account; a reseller creates them for a customer', async () => {
  const reseller = await world.person({ level: 'reseller' });
  const customer = await world.person({ resellerId: reseller.id });
  const made = await reseller.api(requisites.create, {
    body: { ...REQUISITE, OwnerId: customer.id },
  });
  expect(made).toMatchObject({ OwnerId: customer.id, Owner: { id: customer.id } });
  const { id } = await customer.api(requisites.get, { params: { id: made.id } });
  const foreign = { params: { id } };
  for (const call of [
    () => who.api(requisites.get, foreign),
    () => who.api(requisites.update, { ...foreign, body: { title: 'Mine' } }),
    () => who.api(requisites.remove, foreign),
    () => who.api(requisites.create, { body: { ...REQUISITE, OwnerId: customer.id } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 });
  const list = await reseller.api(requisites.find, { query: { filter: { OwnerId: customer.id } } });
  expect(list.total).toBe(1);
});

test('100 parallel creations do not exceed the quota', async () => {
  const busy = await world.person();
  const all = await Promise.allSettled(
    Array.from({ length: 100 }, () => busy.api(requisites.create, { body: REQUISITE })),
  );
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(90);
  expect(refused).toContainEqual(
    expect.objectContaining({
      reason: expect.objectContaining({
        body: expect.objectContaining({ code: 'quota_exceeded' }) as unknown,
      }) as unknown,
    }),
  );
  expect((await busy.api(requisites.find, {})).total).toBe(10);
});

test('an installation for individuals only refuses all calls', async () => {
  const restricted = await World.start({ RESTRICTED_MODE: '1' });
  try {
    const { api, id } = await restricted.person();
    const params = { params: { id } };
    for (const call of [
      () => api(requisites.find, {}),
      () => api(requisites.get, params),
      () => api(requisites.create, { body: REQUISITE }),
      () => api(requisites.update, { ...params, body: { title: 'Tea' } }),
      () => api(requisites.remove, params),
    ])
      await expect(call()).rejects.toMatchObject({ status: 403, body: { code: 'forbidden' } });
  } finally {
    await restricted.stop();
  }
});

test.each(DEMO_REQUISITES)('$name of the demo has valid numbers', (company) => {
  expect(requisiteErrors(company, company.bank)).toEqual([]);
});

test('name the characters that documents cannot show', async () => {
  const created = create({ legal: { ...legal, name: 'Чай 茶 ☕' } });
  await expect(created).rejects.toMatchObject({
    status: 422,
    body: {
      data: [
        {
          field: 'data.legal.name',
          type: 'unprintable',
          message: 'Documents cannot show these characters: 茶 ☕. Replace them.',
        },
      ],
    },
  });
});

test('have no line that a document would show as nothing, or in two', async () => {
  const named = (name: string) => create({ legal: { ...legal, name } });
  for (const name of ['\u200b', ' \u202e\u2066 '])
    expect(await refusal(named(name))).toEqual(['data.legal.name too_small']);
  const { id, title, data } = await named('Чайный\n\u202e дом\u00ad');
  expect([title, data.legal.name]).toEqual(['ООО «Чайный дом»', 'Чайный дом']);
  await who.api(requisites.remove, { params: { id } });
});
