import { passwords, settingsUser, users } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { withSecondFactor } from '../second-factor.ts';
import { until } from '../until.ts';
import { PASSWORD, type Person, World } from '../world.ts';

const sink = new SmtpSink();
let world: World;

beforeAll(async () => {
  world = await World.start({
    MAIL_TRANSPORT: 'smtp',
    MAIL_FROM: 'Beacon <noreply@beacon.example>',
    SMTP_URL: await sink.open(),
    PUBLIC_URL: 'https://beacon.example',
    TITLE: 'Beacon',
  });
});
afterAll(async () => {
  await world.stop();
  sink.close();
});

const addressOf = (who: Person) => `${who.username}@tea.example`;

/** A user whose language is not that of the requests below, which is German. */
async function person(locale?: 'fr'): Promise<Person> {
  const who = await world.person();
  await world.db.query(
    `update users set data = data || jsonb_build_object('email', $2::text) where id = $1`,
    [who.id, addressOf(who)],
  );
  if (locale)
    await who.api(settingsUser.update, {
      params: { accountId: who.id, key: 'locale' },
      body: { value: locale },
    });
  return who;
}

async function subjects(address: string): Promise<string[]> {
  const received = () => sink.emails.filter(({ to }) => to.includes(address));
  await until(async () => received().length > 0, 'the e-mail');
  return received().map(({ subject }) => subject);
}

const post = (path: string, body: object) =>
  fetch(`${world.base}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': 'de',
      'user-agent': 'curl/8.14.1',
    },
    body: JSON.stringify(body),
  });

test.each([
  ['fr' as const, 'Nouvelle connexion : Beacon'],
  [undefined, 'Neue Anmeldung: Beacon'],
])('a new sign-in is told in the language of the user: %s', async (locale, subject) => {
  const who = await person(locale);
  await post('/login', { username: who.username, password: PASSWORD });
  expect(await subjects(addressOf(who))).toEqual([subject]);
});

test('a change of the second factor is told in the language of the user', async () => {
  const who = await person('fr');
  await withSecondFactor(world, who);
  expect(await subjects(addressOf(who))).toEqual(['Validation en deux étapes activée : Beacon']);
});

test('a new password is told in the language of the user, whatever the page says', async () => {
  const who = await person('fr');
  await who.api(passwords.change, {
    body: {
      userId: who.id,
      passwords: { oldPassword: PASSWORD, newPassword: 'another-one-9' },
      locale: 'de',
    },
  });
  expect(await subjects(addressOf(who))).toEqual(['Votre mot de passe a été modifié : Beacon']);
});

test('a recovery is written in the language of the user', async () => {
  const who = await person('fr');
  await post('/recover', { login: who.username, locale: 'de' });
  expect(await subjects(addressOf(who))).toEqual(['Nouveau mot de passe : Beacon']);
});

test('a new address that a manager enters is told and confirmed in the language of the user', async () => {
  const who = await person('fr');
  const manager = await world.person({ level: 'manager', grants: { add: ['users.all'] } });
  const address = `new-${who.username}@tea.example`;
  await manager.api(users.update, {
    params: { id: who.id },
    body: { data: { email: address }, password: PASSWORD, locale: 'de' },
  });
  expect(await subjects(addressOf(who))).toEqual(['Changement d’e-mail : Beacon']);
  expect(await subjects(address)).toEqual(['Confirmez votre e-mail : Beacon']);
});
