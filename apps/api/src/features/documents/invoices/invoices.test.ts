import { billings, companies, documentTemplates, invoices, storage } from '@heliograph/contract';
import { documentDay } from '@heliograph/domain';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SmtpSink } from '../../../../../../scripts/lib/smtp-sink.mjs';
import { raw } from '../../../../test/raw.ts';
import { createCompany, sidesOf } from '../../../../test/samples/documents.ts';
import { reasonsOf } from '../../../../test/settled.ts';
import { type Person, until, World } from '../../../../test/world.ts';
import { Db } from '../../../core/db/db.ts';
import { Files, storageUnavailable } from '../../../core/files/files.ts';
import { verifyLedger } from '../../billings/verify.store.ts';
import { verifyInvoices } from '../verify.store.ts';
import { ActsService } from './acts.service.ts';
import { DocumentsService } from './documents.service.ts';
import { InvoiceEmailsService } from './invoice-emails.service.ts';

const sink = new SmtpSink();
let world: World;
let reseller: Person;
let manager: Person;
let customer: Person;
let stranger: Person;

beforeAll(async () => {
  const mail = {
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: await sink.open(),
    MAIL_FROM: 'bills@heliograph.example',
    PUBLIC_URL: 'https://cabinet.example',
  };
  world = await World.start(mail);
  reseller = await world.person({ level: 'reseller' });
  manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  customer = await world.person({ resellerId: reseller.id, managerId: manager.id });
  stranger = await world.person();
});
afterAll(async () => {
  await world.stop();
  sink.close();
});

const refusal = (field: string, rule: string) => ({
  status: 422,
  body: {
    errors: [expect.objectContaining({ property: field })],
    data: [{ field, type: rule, message: expect.any(String) }],
  },
});
const balanceOf = async (who: Person) =>
  (await who.api(billings.balance, { params: { id: who.id } })).result;
const issue = async (who: Person, amount = 1000) => {
  const sides = await sidesOf(world, who);
  return who.api(invoices.create, { body: { ...sides, amount } });
};
const year = () => documentDay(world.clock.now()).slice(0, 4);
const bytesOf = async (who: Person, id: string) => {
  const answer = await fetch(`${world.base}/api/storage/${id}`, {
    headers: { authorization: who.token },
  });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe('an invoice', () => {
  test('is issued with a number, its VAT and a document that only its owner reads', async () => {
    const sides = await sidesOf(world, customer);
    const created = await customer.api(invoices.create, {
      query: { $scope: ['awaitDocument'] },
      body: { ...sides, amount: 1220 },
    });
    expect(created).toMatchObject({
      status: 'pending',
      source: 'user',
      amount: 1220,
      vatRate: 22,
      vatAmount: 220,
      docNumber: `${year()}-00001`,
      company: { title: 'Heliograph' },
      requisite: { id: sides.requisiteId },
      customerId: customer.id,
    });
    const file = await bytesOf(customer, created.documentId);
    expect(file.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await bytesOf(stranger, created.documentId)).status).toBe(404);
    const page = await customer.api(invoices.find, { query: { filter: { status: ['pending'] } } });
    expect(page.data.map(({ id }) => id)).toContain(created.id);
    for (const search of [created.docNumber, created.requisite!.title.toUpperCase()]) {
      const { data } = await customer.api(invoices.find, { query: { search } });
      expect(data.map(({ id }) => id)).toContain(created.id);
    }
    expect(await customer.api(invoices.find, { query: { search: 'zzzz' } })).toMatchObject({
      total: 0,
    });
  });

  test.each([
    '?scope=awaitDocument',
    '?$scope=awaitDocument&return=meta',
    '?$scope[0]=awaitDocument',
  ])('is issued with the query %s', async (query) => {
    const body = { ...(await sidesOf(world, customer)), amount: 10 };
    const { status, json } = await raw(world, customer, 'POST', `/n/invoices${query}`, body);
    expect([status, (await bytesOf(customer, json.documentId)).status]).toEqual([201, 200]);
  });

  test('is not issued for the requisite or the company of another account', async () => {
    const [own, foreign] = [await sidesOf(world, customer), await sidesOf(world, stranger)];
    const create = (body: object) =>
      customer.api(invoices.create, { body: { ...own, amount: 5, ...body } });
    for (const body of [
      { requisiteId: foreign.requisiteId },
      { companyId: foreign.companyId },
      { customerId: stranger.id },
      { companyId: own.requisiteId },
    ])
      await expect(create(body)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test.each([
    [0, 'too_small'],
    [-5, 'too_small'],
    [10.005, 'cents'],
    [1_000_000_000, 'too_big'],
    [1e300, 'too_big'],
  ])('of the amount %s is refused', async (amount, rule) => {
    const sides = await sidesOf(world, customer);
    await expect(
      customer.api(invoices.create, { body: { ...sides, amount } }),
    ).rejects.toMatchObject({
      status: 422,
      body: {
        data: expect.arrayContaining([expect.objectContaining({ field: 'amount', type: rule })]),
      },
    });
  });

  test('needs a company of the same form of taxation that is active and has a template', async () => {
    const { requisiteId, companyId } = await sidesOf(world, customer);
    const create = (id: string) =>
      customer.api(invoices.create, { body: { requisiteId, companyId: id, amount: 5 } });
    const simplified = await createCompany(world, {
      OwnerId: customer.id,
      taxSystem: 'simplified',
    });
    await expect(create(simplified)).rejects.toMatchObject(refusal('companyId', 'tax_form'));
    await world.db.query(`delete from document_templates where company_id = $1`, [companyId]);
    await expect(create(companyId)).rejects.toMatchObject(refusal('companyId', 'no_template'));
    await world.db.query(`update companies set is_active = false where id = $1`, [companyId]);
    await expect(create(companyId)).rejects.toMatchObject({ status: 404 });
  });

  test('is not issued with characters that it cannot show', async () => {
    const sides = await sidesOf(world, customer);
    await world.db.query(
      `update requisites set data = jsonb_set(data, '{bank,name}', '"茶 Bank"') where id = $1`,
      [sides.requisiteId],
    );
    const created = customer.api(invoices.create, { body: { ...sides, amount: 1000 } });
    await expect(created).rejects.toMatchObject(refusal('requisiteId', 'unprintable'));
  });

  test('is issued in roubles only', async () => {
    const abroad = await world.person();
    await world.db.query(
      `update users set settings = '{"billings":{"currency":"EUR"}}' where id = $1`,
      [abroad.id],
    );
    const sides = await sidesOf(world, abroad);
    await expect(
      abroad.api(invoices.create, { body: { ...sides, amount: 5 } }),
    ).rejects.toMatchObject({ status: 409, code: 'currency_mismatch' });
  });

  test('numbers have no gap under fifty parallel creations, some of which fail', async () => {
    const { requisiteId, companyId } = await sidesOf(world, customer);
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) =>
        customer.api(invoices.create, {
          body: { requisiteId, companyId: n % 10 ? companyId : requisiteId, amount: n + 1 },
        }),
      ),
    );
    const numbers = answers
      .flatMap((a) => (a.status === 'fulfilled' ? [a.value.docNumber] : []))
      .sort();
    const refused = reasonsOf(answers);
    // Calls above the limits of concurrency are refused before they take a number.
    for (const { status } of refused) expect([404, 429, 503]).toContain(status);
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers).toEqual(numbers.map((_, n) => `${year()}-${String(n + 1).padStart(5, '0')}`));
    expect(await verifyInvoices(world.db)).toEqual([]);
  });

  test('whose process stopped before its document gets it by a sweep, and a deleted one is the same again', async () => {
    const { id, documentId } = await issue(customer);
    const before = await bytesOf(customer, documentId);
    await customer.api(storage.remove, { params: { id: documentId } });
    const again = await customer.api(invoices.document, { params: { id } });
    expect((await bytesOf(customer, again.documentId)).bytes.equals(before.bytes)).toBe(true);
    // As a kill between the number and the document leaves it.
    await customer.api(storage.remove, { params: { id: again.documentId } });
    await world.db.query(`update invoices set made_at = null where id = $1`, [id]);
    // One that cannot be made is tried before it, and does not keep it waiting.
    const broken = await issue(customer);
    await world.db.query(
      `update invoices set made_at = null, snapshot = snapshot - 'seller', updated_at = updated_at - interval '1 s' where id = $1`,
      [broken.id],
    );
    world.clock.forward(20);
    await world.api.get(DocumentsService, { strict: false }).makeMissing();
    await world.db.query(
      `update invoices set made_at = now(), snapshot = snapshot || jsonb_build_object('seller', (select g.snapshot->'seller' from invoices g where g.id = $2))
        where id = $1`,
      [broken.id, id],
    );
    const row = await customer.api(invoices.get, { params: { id } });
    expect((await bytesOf(customer, row.documentId)).bytes.equals(before.bytes)).toBe(true);
  });

  test('is issued once although the storage fails, and gets its document later', async () => {
    const files = world.api.get(Files, { strict: false });
    const adopt = vi
      .spyOn(files, 'adopt')
      .mockRejectedValueOnce(storageUnavailable('the bucket is down'));
    const { id } = await issue(customer, 77).finally(() => adopt.mockRestore());
    const { documentId } = await customer.api(invoices.document, { params: { id } });
    expect((await bytesOf(customer, documentId)).bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const file = await customer.api(storage.get, {
      params: { id: documentId },
      query: { return: 'meta' },
    });
    expect(file.meta).toEqual({ pages: 1 });
  });

  test('keeps no transaction open while the storage takes its document', async () => {
    const files = world.api.get(Files, { strict: false });
    const db = world.api.get(Db, { strict: false });
    const store = files.adopt.bind(files);
    const states: boolean[] = [];
    const adopt = vi.spyOn(files, 'adopt').mockImplementation((path, contents) => {
      states.push(db.inTransaction);
      return store(path, contents);
    });
    await issue(customer).finally(() => adopt.mockRestore());
    expect(states).toEqual([false]);
  });

  test('whose document is made twice at once keeps one', async () => {
    const { id, documentId } = await issue(customer);
    await customer.api(storage.remove, { params: { id: documentId } });
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => customer.api(invoices.document, { params: { id } })),
    );
    expect(new Set(ids.map((one) => one.documentId)).size).toBe(1);
    expect((await bytesOf(customer, ids[0]!.documentId)).status).toBe(200);
  });

  test('keeps its facts when the company or its template changes', async () => {
    const admin = manager;
    const { requisiteId } = await sidesOf(world, customer);
    const companyId = await createCompany(world, { OwnerId: customer.id });
    const created = await customer.api(invoices.create, {
      body: { requisiteId, companyId, amount: 7 },
    });
    const before = await bytesOf(customer, created.documentId);
    await admin.api(companies.update, { params: { id: companyId }, body: { title: 'Renamed' } });
    await world.db.query(
      `update document_templates set blocks = '[{"kind":"text","text":"changed"}]' where company_id = $1`,
      [companyId],
    );
    await customer.api(storage.remove, { params: { id: created.documentId } });
    const { documentId } = await customer.api(invoices.document, { params: { id: created.id } });
    expect((await bytesOf(customer, documentId)).bytes.equals(before.bytes)).toBe(true);
    await expect(admin.api(companies.remove, { params: { id: companyId } })).rejects.toMatchObject({
      status: 409,
    });
  });
});

describe('a manager', () => {
  const pay = (who: Person, id: string) => who.api(invoices.pay, { params: { id } });
  const reject = (who: Person, id: string) =>
    who.api(invoices.reject, { params: { id }, body: { reason: 'Not paid' } });

  test('marks an invoice as paid, which credits its amount once, also for eight at once', async () => {
    const { id } = await issue(customer, 1500.5);
    const before = await balanceOf(customer);
    await expect(pay(customer, id)).rejects.toMatchObject({ status: 403 });
    await expect(pay(reseller, id)).rejects.toMatchObject({ status: 403 });
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => pay(manager, id)));
    expect(answers.filter((a) => a.status === 'fulfilled')).toHaveLength(1);
    for (const { status } of reasonsOf(answers)) expect(status).toBe(409);
    expect(await balanceOf(customer)).toBe(before + 1500.5);
    const [entry] = (
      await manager.api(billings.find, { query: { filter: { OwnerId: customer.id } } })
    ).data;
    expect(entry).toMatchObject({ amount: 1500.5, meta: { origin: { type: 'invoice', id } } });
    await expect(reject(manager, id)).rejects.toMatchObject({ status: 409 });
  });

  test('rejects an invoice with a reason; a rejected one is not paid', async () => {
    const { id } = await issue(customer);
    const before = await balanceOf(customer);
    expect(await reject(manager, id)).toMatchObject({ status: 'rejected', reason: 'Not paid' });
    await expect(pay(manager, id)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect(await balanceOf(customer)).toBe(before);
  });

  test('does not decide on an invoice of the own account or of one that it does not manage', async () => {
    const other = await world.person({ level: 'manager' });
    const { id } = await issue(customer);
    await expect(pay(other, id)).rejects.toMatchObject({ status: 404 });
    const own = await issue(manager);
    await expect(pay(manager, own.id)).rejects.toMatchObject({ status: 403 });
  });

  test('issues an invoice for a customer, with the requisite of that customer', async () => {
    const sides = await sidesOf(world, customer);
    const created = await reseller.api(invoices.create, {
      body: { ...sides, amount: 10, customerId: customer.id },
    });
    expect(created).toMatchObject({ OwnerId: customer.id, customerId: customer.id });
    await expect(
      reseller.api(invoices.create, { body: { ...sides, amount: 10 } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe('an e-mail', () => {
  const send = async (who: Person, id: string) =>
    who.api(invoices.send, { params: { id }, body: { to: 'boss@tea.example' } });
  const sendDue = () => world.api.get(InvoiceEmailsService, { strict: false }).sendDue();

  test('has the document, in the language of the account, and is repeated until it is accepted', async () => {
    const { id, docNumber } = await issue(customer);
    await world.db.query(
      `insert into settings_user (user_id, key, value) values ($1, 'locale', '"de"') on conflict do nothing`,
      [customer.id],
    );
    sink.emails = [];
    expect((await send(customer, id)).email).toMatchObject({
      to: 'boss@tea.example',
      status: 'pending',
    });
    await until(async () => sink.emails.length > 0 || (await sendDue()), 'it is sent');
    await until(async () => sink.emails.length > 0, 'it arrives');
    const raw = JSON.stringify(sink.emails[0]);
    expect(raw).toContain('Rechnung');
    expect(raw).toContain(docNumber);
    await until(
      async () => (await customer.api(invoices.get, { params: { id } })).email?.status === 'sent',
      'it is recorded',
    );
  });
});

describe('documentTemplates/generate', () => {
  test('makes an invoice and a contract, by GET and POST', async () => {
    const sides = await sidesOf(world, customer);
    const query = { ...sides, type: 'invoice' as const, data: { SERVICE_PRICE: '12.5' } };
    const made = await customer.api(documentTemplates.generateGet, { query });
    expect(made.OwnerId).toBe(customer.id);
    const page = await customer.api(invoices.find, {});
    expect(page.data[0]).toMatchObject({ amount: 12.5, documentId: made.id });
    const body = { ...sides, type: 'contract' as const };
    const contract = await customer.api(documentTemplates.generate, { body });
    expect((await bytesOf(customer, contract.id)).bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await expect(
      customer.api(documentTemplates.generate, { body: { ...sides, type: 'invoice' } }),
    ).rejects.toMatchObject({ status: 422 });
    const foreign = await sidesOf(world, stranger);
    await expect(
      customer.api(documentTemplates.generate, { body: { ...foreign, type: 'contract' } }),
    ).rejects.toMatchObject({ status: 404 });
  });
});

describe('a monthly act', () => {
  /** An entry of a charge, and when it was refunded. */
  const charge = (account: Person, at: Date, amount: number, refundedAt: Date | null = null) =>
    world.db.query(
      `with e as (insert into billings (id, owner_id, source, amount, status, refunded_at)
         values (uuidv7($2::timestamptz - now()), $1, 0, -$3::numeric, case when $4::timestamptz is null then 1 else 2 end, $4) returning amount, status)
       update balances set balance = balance + (select sum(amount) filter (where status = 1) from e) where owner_id = $1
          and exists (select 1 from e where status = 1)`,
      [account.id, at, amount, refundedAt],
    );
  /** Of a month before or after this one, which is that of Moscow. */
  const dayOf = (months: number, day: number) => {
    const [year = 0, month = 0] = documentDay(world.clock.now()).split('-').map(Number);
    return new Date(Date.UTC(year, month - 1 + months, day));
  };
  const pay = async (account: Person) => {
    const { id } = await issue(account, 500);
    await manager.api(invoices.pay, { params: { id } });
    return account;
  };
  const payer = async () => pay(await world.person({ managerId: manager.id }));
  /** In API processes, where no sweep makes acts at the same time. */
  const make = async ({ count = 1 } = {}) => {
    const apps = [world.api];
    while (apps.length < count) apps.push((await world.startApi()).app);
    // The accounts of other tests have completed the month already.
    await world.db.query(`delete from act_months`);
    await Promise.all(
      apps.map(async (app) => {
        const acts = app.get(ActsService, { strict: false });
        while (await acts.makeActs());
      }),
    );
  };
  const atTime = async (time: Date, work: () => Promise<void>) => {
    const back = (world.clock.now().getTime() - time.getTime()) / 1000;
    world.clock.forward(-back);
    await work().finally(() => world.clock.forward(back));
  };
  const actsOf = async (account: Person) =>
    (await account.api(invoices.find, { query: { filter: { type: ['act'] } } })).data;

  test('states the charges of the month once, also when two processes make acts at once', async () => {
    const account = await payer();
    for (const amount of [10.123, 20.004, 5]) await charge(account, dayOf(-1, 10), amount);
    await make({ count: 2 });
    const acts = await actsOf(account);
    expect(acts).toHaveLength(1);
    expect(acts[0]).toMatchObject({
      amount: 35.13,
      status: 'paid',
      source: 'system',
      period: dayOf(-1, 10).toISOString().slice(0, 7),
    });
    expect(await verifyInvoices(world.db)).toEqual([]);
  });

  test('is less what was refunded in the month of charges that an earlier act states', async () => {
    const account = await payer();
    const late = await world.person({ managerId: manager.id });
    await charge(account, dayOf(-2, 26), 50);
    await charge(account, dayOf(-2, 27), 900, dayOf(-2, 28));
    // Refunded after the month: a matter of the next act, also if this one is made late.
    for (const of of [account, late]) await charge(of, dayOf(-2, 27), 30, dayOf(-1, 2));
    await atTime(dayOf(-1, 5), make);
    await pay(late);
    for (const of of [account, late]) {
      await charge(of, dayOf(-1, 10), 100);
      await charge(of, dayOf(-1, 11), 40, dayOf(-1, 12));
      await charge(of, dayOf(-1, 27), 7, dayOf(0, 2));
    }
    await make();
    expect(await actsOf(account)).toMatchObject([{ amount: 77 }, { amount: 80 }]);
    expect(await actsOf(late)).toMatchObject([{ amount: 107 }]);
  });

  test('leaves refunds that exceed its charges to the next act, with the charges that they exceed', async () => {
    const account = await payer();
    await charge(account, dayOf(-4, 10), 85);
    await charge(account, dayOf(-4, 27), 15, dayOf(-3, 2));
    await atTime(dayOf(-3, 5), make);
    await charge(account, dayOf(-3, 10), 6);
    await charge(account, dayOf(-3, 27), 4, dayOf(-2, 2));
    await atTime(dayOf(-2, 5), make);
    // Less 5 of the month before, and 4 that this month counted.
    await charge(account, dayOf(-2, 10), 20);
    await atTime(dayOf(-1, 5), make);
    expect(await actsOf(account)).toMatchObject([{ amount: 11 }, { amount: 100 }]);
  });

  test('adds fractions of a kopeck to those of the next act', async () => {
    const account = await payer();
    for (const month of [-3, -2, -1]) {
      await charge(account, dayOf(month, 10), 1.0033);
      await atTime(dayOf(month + 1, 5), make);
    }
    expect(await actsOf(account)).toMatchObject([{ amount: 1 }, { amount: 1.01 }, { amount: 1 }]);
  });

  test('has the VAT of its month, which January may have raised', async () => {
    const account = await payer();
    await charge(account, new Date('2025-12-10T00:00:00Z'), 120);
    await atTime(new Date('2026-01-02T00:00:00Z'), make);
    expect(await actsOf(account)).toMatchObject([
      { period: '2025-12', docNumber: '2026-00001', vatRate: 20, vatAmount: 20 },
    ]);
  });
});

test('verify finds a paid invoice without its entry, an entry without its invoice, and a gap', async () => {
  const [first, second] = [await issue(customer, 3), await issue(customer, 4)];
  await manager.api(invoices.pay, { params: { id: second.id } });
  const broken = async (sql: string, back: string, id: string) => {
    await world.db.query(sql, [id]);
    const problems = await verifyInvoices(world.db);
    await world.db.query(back, [id]);
    return problems.map(({ what }) => what);
  };
  expect(
    await broken(
      `update invoices set status = 'paid', paid_at = now() where id = $1`,
      `update invoices set status = 'pending', paid_at = null where id = $1`,
      first.id,
    ),
  ).toEqual(['a paid invoice has its ledger entry, and its amount is that of the invoice']);
  expect(
    await broken(
      `update invoices set status = 'pending', paid_at = null where id = $1`,
      `update invoices set status = 'paid', paid_at = now() where id = $1`,
      second.id,
    ),
  ).toEqual(['a ledger entry of an invoice has a paid invoice']);
  expect(
    await broken(
      `update invoice_counters set last = last + 1 where company_id = (select company_id from invoices where id = $1)`,
      `update invoice_counters set last = last - 1 where company_id = (select company_id from invoices where id = $1)`,
      first.id,
    ),
  ).toEqual(['numbers have no gap']);
});

test('after all of this, documents and ledger agree', async () => {
  expect(await verifyInvoices(world.db)).toEqual([]);
  expect(await verifyLedger(world.db)).toEqual([]);
});
