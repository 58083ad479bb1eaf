import { brands, recovery, users } from '@heliograph/contract';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../../scripts/lib/smtp-sink.mjs';
import { NO_BRAND } from '../../../test/samples/brands.ts';
import { World, type Person } from '../../../test/world.ts';
import { Mailer } from '../../core/mail/mailer.ts';

const sink = new SmtpSink();
let world: World;
let reseller: Person;

beforeAll(async () => {
  world = await World.start({
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: await sink.open(),
    MAIL_FROM: 'Beacon <noreply@beacon.example>',
    PUBLIC_URL: 'https://beacon.example',
    TITLE: 'Beacon',
    CAPTCHA_AFTER: '1000',
  });
  const manager = await world.person({ level: 'manager' });
  reseller = await world.person({ level: 'reseller', managerId: manager.id });
  await reseller.api(brands.update, { body: { ...NO_BRAND, title: 'Tea, SMS' } });
  const body = { OwnerId: reseller.id, domain: 'tea.example' };
  await manager.api(brands.setDomain, { body });
});
afterAll(async () => {
  await world.stop();
  sink.close();
});

async function withEmail(person: Person): Promise<Person> {
  const email = `${person.username}@people.example`;
  await world.db.query(`update users set data = $2 where id = $1`, [person.id, { email }]);
  return person;
}

/** What was sent since the last call. */
async function sent() {
  await world.api.get(Mailer, { strict: false }).settled();
  return sink.emails.splice(0);
}

/** Asks for a new password, as a client that names a host. */
function askAt(host: string, login: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.base);
    const headers = { host, 'x-forwarded-host': host, 'content-type': 'application/json' };
    const path = `/api${recovery.request.path}`;
    request({ hostname, port, path, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
    })
      .on('error', reject)
      .end(JSON.stringify({ login, locale: 'en' }));
  });
}

test('the link of a recovery has the domain of the account’s brand, whatever host the request names', async () => {
  const customer = await withEmail(await world.person({ resellerId: reseller.id }));
  const stranger = await withEmail(await world.person());
  for (const host of ['evil.example', 'tea.example', 'beacon.example']) {
    expect(await askAt(host, customer.username)).toBeLessThan(300);
    const [letter, ...others] = await sent();
    expect(others).toEqual([]);
    expect(letter!.subject).toBe('New password: Tea, SMS');
    expect(letter!.text).toMatch(/https:\/\/tea\.example\/recover\/[\w-]{43}\s/);
    expect(letter!.source).toContain('From: "Tea, SMS" <noreply@beacon.example>');
    expect(letter!.source).not.toContain('evil');
    expect(await askAt(host, stranger.username)).toBeLessThan(300);
    const [own] = await sent();
    expect(own!.subject).toBe('New password: Beacon');
    expect(own!.text).toMatch(/https:\/\/beacon\.example\/recover\/[\w-]{43}\s/);
    expect(own!.source).toContain('From: Beacon <noreply@beacon.example>');
  }
});

test('an invitation of a reseller has its name and its domain', async () => {
  const body = { data: { email: 'new@people.example' } };
  await reseller.api(users.create, { body });
  const [letter] = await sent();
  expect(letter!.to).toEqual(['new@people.example']);
  expect(letter!.subject).toContain('Tea, SMS');
  expect(letter!.text).toContain('https://tea.example/recover/');
});
