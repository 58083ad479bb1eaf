import { ADMINISTRATOR_GRANTS, installation, tariffs } from '@heliograph/contract';
import { expect, onTestFinished, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { World } from '../../../test/world.ts';

test('what a new installation still needs is read from what is there', async () => {
  const world = await World.start({
    DEMO: '0',
    MAIL_TRANSPORT: '',
    PUBLIC_URL: 'https://app.example',
    CHANNEL_ALLOWED_HOSTS: '127.0.0.0/8',
  });
  onTestFinished(() => world.stop());
  const sink = new SmtpSink();
  onTestFinished(() => sink.close());
  const { db } = world;
  await db.query(`delete from channels`);
  const { api } = await world.person({
    level: 'manager',
    name: 'captain@beacon.example',
    grants: { add: ADMINISTRATOR_GRANTS },
  });
  const start = () => api(installation.start, {});
  expect(await start()).toEqual({
    publicUrl: 'https://app.example',
    mail: 'off',
    channel: 'none',
    hasPrices: false,
    hasCustomer: false,
  });

  const mail = async () => (await start()).mail;
  const server = await sink.open();
  const set = { MAIL_TRANSPORT: 'smtp', SMTP_URL: server, MAIL_FROM: 'a@beacon.example' } as const;
  await api(installation.update, { body: set });
  expect(await mail()).toBe('untested');
  sink.refuse = ['550 go away'];
  expect(await api(installation.testMail, {})).toMatchObject({ isAccepted: false });
  expect(await mail()).toBe('untested');
  expect(await api(installation.testMail, {})).toMatchObject({ isAccepted: true });
  expect(await mail()).toBe('tested');
  // Another sender has to be tried again.
  await api(installation.update, { body: { MAIL_FROM: 'b@beacon.example' } });
  expect(await mail()).toBe('untested');
  await api(installation.testMail, {});
  expect(await mail()).toBe('tested');

  const channel = async () => (await start()).channel;
  await db.query(`insert into channels (name, driver, types, is_active, options)
                  values ('carrier', 'simulator', '{sms}', false, '{}')`);
  await db.query(
    `insert into channel_states (channel, submitted, submitted_at) values ('carrier', 1, now())`,
  );
  expect(await channel()).toBe('none');
  await db.query(`update channels set is_active = true`);
  expect(await channel()).toBe('working');
  await db.query(`update channel_states set failing_since = now()`);
  expect(await channel()).toBe('untested');

  const { data } = await api(tariffs.catalogue, { query: {} });
  const { id, title, source, isDefault } = data[0]!;
  const conditions = [{ tag: 'type' as const, value: ['sms'] }];
  const rules = [{ action: 'increase' as const, price: 0.08, conditions, priority: 0 }];
  const hasPrices = async () => (await start()).hasPrices;
  // Beside another one, the invented prices still apply to new accounts.
  await api(tariffs.create, { body: { title: 'Retail', source: 'sms', isDefault: true, rules } });
  expect(await hasPrices()).toBe(false);
  await api(tariffs.replace, { params: { id }, body: { title, source, isDefault, rules } });
  expect(await hasPrices()).toBe(true);
  await world.person({ level: 'reseller' });
  expect((await start()).hasCustomer).toBe(true);
});
