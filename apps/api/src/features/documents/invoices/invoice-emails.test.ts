import { invoices } from '@heliograph/contract';
import { parseMoney } from '@heliograph/domain';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SmtpSink } from '../../../../../../scripts/lib/smtp-sink.mjs';
import { sidesOf } from '../../../../test/samples/documents.ts';
import { type Person, World } from '../../../../test/world.ts';
import { secondsAfter } from '../../../core/clock.ts';
import { DueEmailsStore } from '../../../core/mail/due-emails.store.ts';
import { Mailer } from '../../../core/mail/mailer.ts';
import { InvoiceEmailsService } from './invoice-emails.service.ts';
import { INVOICE_EMAILS } from './invoices.store.ts';
import { IssueService } from './issue.service.ts';

// No worker runs: each attempt is made by its test.
const sink = new SmtpSink();
let world: World;
let customer: Person;
let manager: Person;
let emails: InvoiceEmailsService;

beforeAll(async () => {
  world = await World.start({
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: await sink.open(),
    MAIL_FROM: 'bills@heliograph.example',
    PUBLIC_URL: 'https://cabinet.example',
  });
  manager = await world.person({ level: 'manager' });
  customer = await world.person({ managerId: manager.id });
  emails = world.api.get(InvoiceEmailsService, { strict: false });
});
afterAll(async () => {
  await world.stop();
  sink.close();
});

const issue = async (): Promise<string> => {
  const sides = await sidesOf(world, customer);
  return (await customer.api(invoices.create, { body: { ...sides, amount: 10 } })).id;
};
const send = (id: string) =>
  customer.api(invoices.send, { params: { id }, body: { to: 'boss@tea.example' } });
const stateOf = async (id: string) => (await customer.api(invoices.get, { params: { id } })).email!;

test('an e-mail that is refused is repeated after half a minute', async () => {
  const id = await issue();
  sink.refuse = ['550 5.7.1 refused'];
  await send(id);
  expect(await emails.sendDue()).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: 'pending', attempts: 1, sentAt: null });
  expect(await emails.sendDue()).toBe(false);
  world.clock.forward(31);
  expect(await emails.sendDue()).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: 'sent', attempts: 2 });
  expect(sink.emails).toHaveLength(1);
});

test('after ten refusals in 17 hours an e-mail has failed, until it is sent again', async () => {
  const id = await issue();
  const before = sink.emails.length;
  sink.refuse = Array<string>(10).fill('550 5.7.1 refused');
  await send(id);
  for (const seconds of [0, 31, 121, 601, 1801, 3601, 7201, 14_401, 14_401, 18_001]) {
    world.clock.forward(seconds);
    expect(await emails.sendDue()).toBe(true);
  }
  expect(await stateOf(id)).toMatchObject({ status: 'failed', attempts: 10 });
  world.clock.forward(100_000);
  expect(await emails.sendDue()).toBe(false);
  expect(sink.emails).toHaveLength(before);
  await send(id);
  expect(await emails.sendDue()).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: 'sent', attempts: 1 });
});

test('an e-mail of a worker that stopped is sent by the next one after the lease', async () => {
  const id = await issue();
  await send(id);
  const now = world.clock.now();
  const claim = world.api.get(DueEmailsStore).claim(INVOICE_EMAILS, now, secondsAfter(now, 120));
  expect(await claim).toMatchObject({ id, tries: 1 });
  expect(await emails.sendDue()).toBe(false);
  world.clock.forward(121);
  expect(await emails.sendDue()).toBe(true);
  expect(await stateOf(id)).toMatchObject({ status: 'sent' });
});

test('a rejected invoice is not sent, nor one that is rejected while it waits to be', async () => {
  const id = await issue();
  const before = sink.emails.length;
  await send(id);
  await manager.api(invoices.reject, { params: { id }, body: {} });
  expect(await emails.sendDue()).toBe(false);
  expect((await customer.api(invoices.get, { params: { id } })).email).toBeNull();
  await expect(send(id)).rejects.toMatchObject({ status: 409 });
  expect(await emails.sendDue()).toBe(false);
  expect(sink.emails).toHaveLength(before);
});

test.each([true, false])(
  'an attempt that another request has replaced records nothing (sent: %s)',
  async (isSent) => {
    const id = await issue();
    await send(id);
    const deliver = vi.spyOn(world.api.get(Mailer), 'deliver');
    deliver.mockImplementationOnce(async () => {
      await send(id);
      if (!isSent) throw new Error('refused');
    });
    expect(await emails.sendDue()).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'pending', attempts: 0, sentAt: null });
    expect(await emails.sendDue()).toBe(true);
    expect(await stateOf(id)).toMatchObject({ status: 'sent', attempts: 1 });
    deliver.mockRestore();
  },
);

test('fifty invoices that are issued at once have the numbers 1 to 50', async () => {
  const { requisiteId, companyId } = await sidesOf(world, customer);
  const issuing = world.api.get(IssueService, { strict: false });
  const rows = await Promise.all(
    Array.from({ length: 50 }, () =>
      issuing.issue({
        OwnerId: customer.id,
        requisiteId,
        companyId,
        amount: parseMoney('1.00'),
        type: 'invoice',
        source: 'user',
      }),
    ),
  );
  const numbers = rows.map(({ number }) => number).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});
