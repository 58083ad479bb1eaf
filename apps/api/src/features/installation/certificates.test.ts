import { ADMINISTRATOR_GRANTS, installation, notificationSettings } from '@heliograph/contract';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CERTIFICATE,
  LOOPBACK_CERTIFICATE,
  LOOPBACK_KEY,
} from '../../../test/peers/certificate.ts';
import { until, World, type Person } from '../../../test/world.ts';
import { certificatesOf } from '../../channels/certificates.ts';
import { ProcessReports } from '../../core/process-reports.ts';
import { CertificatesService } from './certificates.service.ts';

const END = '2100-01-01T00:00:00.000Z';
const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
let world: World;
let administrator: Person;
let manager: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  manager = await world.person({ level: 'manager' });
  await world.db.query(`update channels set is_active = false where name <> 'simulator'`);
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

const listed = async () => (await administrator.api(installation.get, {})).certificates;
const addChannel = (name: string, isActive: boolean) =>
  world.db.query(
    `insert into channels (name, driver, types, options, is_active) values ($1, 'smpp', '{sms}', $2, $3)`,
    [
      name,
      { url: 'smpps://smsc.example', systemId: 'x', password: 'x', ca: CERTIFICATE },
      isActive,
    ],
  );

test('the subject and the end of each certificate of a text are read; what is none is left out', () => {
  const broken = CERTIFICATE.replace('MIIBajCC', 'AAAAAAAA');
  expect(certificatesOf(`${CERTIFICATE}${broken}\n${LOOPBACK_CERTIFICATE}`)).toMatchObject([
    { subject: 'smsc.example', endsAt: END },
    { subject: '127.0.0.1', endsAt: END },
  ]);
  expect(certificatesOf('')).toEqual([]);
});

test('those of active channels and of the SMPP server are listed, and nothing of others', async () => {
  expect(await listed()).toEqual([]);
  await addChannel('tls', true);
  await addChannel('off', false);
  const [cert, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, LOOPBACK_CERTIFICATE);
  writeFileSync(key, LOOPBACK_KEY);
  const { app } = await world.startSmpp({
    SMPP_TLS_PORT: 0,
    SMPP_TLS_CERTIFICATE: cert,
    SMPP_TLS_KEY: key,
  });
  const reports = app.get(ProcessReports, { strict: false });
  reports.start('smpp');
  await until(async () => (await listed()).length === 2, 'the process');
  expect(await listed()).toEqual(
    [
      { usedBy: 'smpp', name: hostname(), subject: '127.0.0.1', endsAt: END, stage: 'valid' },
      { usedBy: 'channel', name: 'tls', subject: 'smsc.example', endsAt: END, stage: 'valid' },
    ].toSorted((a, b) => a.name.localeCompare(b.name)),
  );
  await reports.beforeApplicationShutdown();
  expect(await listed()).toMatchObject([{ name: 'tls' }]);
});

test('administrators are notified once in the last 30 days, once in the last 7 and at the end', async () => {
  const service = world.api.get(CertificatesService, { strict: false });
  const told = () =>
    world.db.query(
      `select user_id as "UserId", data from notifications where type = 'CertificateEnding' and channel = 'web' order by id`,
    );
  /** So many days before the end. */
  const warnAt = async (days: number) => {
    const at = Date.parse(END) - days * 86_400_000;
    world.clock.forward((at - world.clock.now().getTime()) / 1000);
    await service.warn();
    await service.warn();
    return told();
  };
  const one = { subject: 'smsc.example', channel: 'tls' };
  const early = { UserId: administrator.id, data: { ...one, endsAt: END } };
  expect(await warnAt(31)).toEqual([]);
  expect(await warnAt(29)).toEqual([early]);
  expect(await warnAt(8)).toEqual([early]);
  expect(await warnAt(6)).toEqual([early, early]);
  const last = { UserId: administrator.id, data: { ...one, endedAt: END } };
  expect(await warnAt(-1)).toEqual([early, early, last]);
  expect(await warnAt(-400)).toEqual([early, early, last]);
  expect(await service.find()).toMatchObject([{ name: 'tls', stage: 'ended' }]);
});

test('who does not see the installation cannot choose its notifications', async () => {
  const types = async (person: Person) =>
    JSON.stringify(
      await world.client(await world.login(person.username))(notificationSettings.get, {}),
    );
  expect(await types(administrator)).toContain('CertificateEnding');
  expect(await types(manager)).not.toContain('CertificateEnding');
});
