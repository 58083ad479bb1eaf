import { Readable } from 'node:stream';
import { ADMINISTRATOR_GRANTS } from '@heliograph/contract';
import {
  compileTariffs,
  DEFAULT_TEMPLATES,
  DOCUMENT_TYPES,
  findOperator,
  formatMoney,
  operationOutcome,
  operationReason,
  operationReportHeaders,
  SENDING_TYPES,
  TEST_NUMBER_PREFIX,
  typeCode,
  type TariffRule,
} from '@heliograph/domain';
import { TEST_NUMBERS } from '@heliograph/simulators';
import { BASE_RULES, BASE_TARIFF, seedSimulator } from '../../../seeds/base.ts';
import { seedDemoFiles } from '../../../seeds/demo-files.ts';
import { seedHistory, type HistoryOptions } from '../../../seeds/demo-history.ts';
import { seedInboundRules } from '../../../seeds/demo-inbound-rules.ts';
import { seedIntegrations } from '../../../seeds/demo-integrations.ts';
import { seedInvoices } from '../../../seeds/demo-invoices.ts';
import { seedNotifications } from '../../../seeds/demo-notifications.ts';
import { seedOperations } from '../../../seeds/demo-operations.ts';
import { CLIENTS, LISTS, PEOPLE, RECIPIENTS, seedDemo } from '../../../seeds/demo.ts';
import { BULKS, STREAMS, TYPES } from '../../../seeds/demo-traffic.ts';
import { seedMax } from '../../../seeds/demo-max.ts';
import { seedMail } from '../../../seeds/demo-mail.ts';
import { seedPrices } from '../../../seeds/demo-prices.ts';
import { seedSmpp } from '../../../seeds/demo-smpp.ts';
import { seedTelegram } from '../../../seeds/demo-telegram.ts';
import { seedWapi } from '../../../seeds/demo-wapi.ts';
import { seedWebhooks } from '../../../seeds/demo-webhooks.ts';
import { Audit } from './core/audit/audit.ts';
import { GeneratedSecrets, newSecret } from './core/auth/generated-secrets.ts';
import { hashPassword, randomPassword, verifyPassword } from './core/auth/passwords.ts';
import { SecretBox } from './core/auth/secret-box.ts';
import { Config } from './core/config.ts';
import type { Db } from './core/db/db.ts';
import { exposedAddress, type Addresses } from './core/exposure.ts';
import type { Files } from './core/files/files.ts';
import { operators } from './features/sendings/pricing/operators.ts';
import { demoInvoices } from './demo-invoices.ts';
import { MAX_BOT_PATH } from './features/channels/max-host.service.ts';
import { RollupsStore } from './features/analytics/rollups.store.ts';
import { IntegrationSecrets } from './features/integrations/integration-secrets.ts';
import { purposeOf } from './features/wapi/gateways.service.ts';
import { WebhookSecrets } from './features/webhooks/webhook-secrets.ts';

/** Published in the documentation, so it is used only where the API is not reachable from other machines. */
export const DEMO_PASSWORD = 'heliograph';

const OPERATION_WORDS = {
  headers: operationReportHeaders('ru'),
  applied: operationOutcome('ru', 'applied'),
  refused: operationOutcome('ru', 'refused'),
  unknownAccount: operationReason('ru', 'unknown_account'),
};

type Passwords = Record<string, string>;
const namesOf = (people: object) => Object.keys(people) as (keyof typeof PEOPLE)[];

/** Where simulated parties listen. */
type Simulated = Partial<Pick<Config, 'SIMULATED_SMSC' | 'SIMULATED_SMTP' | 'SIMULATED_TELEGRAM'>>;

/**
 * Loads the demo data into a database without users, so that real data is never mixed with it. If the API is reachable
 * from other machines, the passwords are random and are returned to be shown once. Returns false if users exist. Without a
 * store there are no files, without the address of a simulated party no channel to it.
 */
export async function loadDemo(
  db: Db,
  addresses: Addresses,
  files?: Files,
  {
    SIMULATED_SMSC: smscUrl,
    SIMULATED_SMTP: smtpUrl,
    SIMULATED_TELEGRAM: telegramUrl,
  }: Simulated = {},
): Promise<Passwords | boolean> {
  const isExposed = exposedAddress(addresses) !== null;
  const passwords = Object.fromEntries(
    namesOf(PEOPLE).map((name) => [name, isExposed ? randomPassword() : DEMO_PASSWORD]),
  );
  const passwordHashes = await hashes(passwords);
  const testNumbers = Object.entries(TEST_NUMBERS).map(([last, outcome]) => ({
    phone: TEST_NUMBER_PREFIX + last,
    outcome,
  }));
  const administratorGrants = ADMINISTRATOR_GRANTS;
  const documentTemplates = DOCUMENT_TYPES.map((type) => ({
    type,
    blocks: DEFAULT_TEMPLATES[type],
  }));
  // By the generated key, which stays readable when another one is configured.
  const box = new SecretBox(new Config(), new GeneratedSecrets(db));
  const secrets = new WebhookSecrets(box);
  const sealSecret = async (OwnerId: string) => (await secrets.create(OwnerId)).sealed;
  const portals = new IntegrationSecrets(box, new Config());
  const expired = { access: 'demo', refresh: null, expiresAt: new Date(0).toISOString() };
  const isLoaded = await db.transaction(async () => {
    const query = <R>(sql: string, parameters?: unknown[]) => db.query<R & object>(sql, parameters);
    await query('lock table users in share row exclusive mode');
    if ((await db.query(`select 1 from users limit 1`)).length) return false;
    await seedSimulator(query, SENDING_TYPES);
    if (smscUrl) await seedSmpp(query, smscUrl);
    if (smtpUrl) await seedMail(query, smtpUrl);
    if (telegramUrl) {
      await seedTelegram(query, telegramUrl, `4200:${newSecret()}`);
      await seedMax(query, new URL(MAX_BOT_PATH, telegramUrl).href, newSecret());
    }
    await seedDemo(query, { passwordHashes, testNumbers, administratorGrants, documentTemplates });
    const { customer, manager } = PEOPLE;
    await seedPrices(query, manager);
    await seedHistory(query, historyOptions());
    await seedInvoices(query, customer, manager, await demoInvoices(query, customer));
    await seedInboundRules(query, customer);
    await seedNotifications(query, PEOPLE);
    await seedWebhooks(query, customer, sealSecret);
    await seedIntegrations(query, customer, {
      sealAccess: (OwnerId) => portals.sealAccess(OwnerId, expired),
      sealSecret,
    });
    await seedWapi(query, customer, {
      seal: (id, token) => box.seal(token, purposeOf(id)),
      type: typeCode('wapi'),
    });
    if (files) {
      const write = (id: string, bytes: Buffer) => files.write(id, Readable.from([bytes]));
      await seedDemoFiles(query, PEOPLE.customer, write);
      await seedOperations(query, PEOPLE, OPERATION_WORDS, write);
    }
    return true;
  });
  // Its figures are there before the first worker sums them.
  const rollups = new RollupsStore(db);
  while (isLoaded && (await rollups.addChanges()));
  return isLoaded && isExposed ? passwords : isLoaded;
}

/** Recipients with their networks, and what their messages cost by the base tariff. */
function historyOptions(): HistoryOptions {
  const people = Object.entries(RECIPIENTS).flatMap(([audience, some]) =>
    some.map((person: { phone: string; email?: string }, n) => ({
      audience,
      n,
      phone: person.phone,
      email: person.email ?? null,
      mccmnc: findOperator(operators(), person.phone)?.mccmnc ?? '',
    })),
  );
  const rules = BASE_RULES.map((rule, i) => ({
    id: String(i),
    action: 'increase' as const,
    ...rule,
  }));
  const book = compileTariffs([{ id: BASE_TARIFF, priority: 0, rules: rules as TariffRule[] }]);
  const networks = [...new Set(people.map(({ mccmnc }) => mccmnc)), ''];
  const senders = new Map(
    [...BULKS, ...STREAMS]
      .flatMap(({ type, sender }) => [
        { type, sender },
        { type: 'sms' as const, sender },
      ])
      .map((of) => [`${of.type} ${of.sender}`, of]),
  );
  const prices = [...senders.values()].flatMap(({ type, sender }) =>
    [...new Set(networks)].map((mccmnc) => {
      const found = book.price({
        type,
        sender,
        mccmnc: mccmnc || null,
        phone: '',
        text: '',
        contactLists: [],
        group: null,
      });
      return { type: TYPES[type], sender, mccmnc, price: formatMoney(found!.price[0]!) };
    }),
  );
  return { owners: { ...PEOPLE, ...CLIENTS }, lists: LISTS, people, prices };
}

/** Names of the demo accounts that still have the documented password. */
async function accountsWithDemoPassword(db: Db): Promise<string[]> {
  // The API may start before the database is migrated.
  const [table] = await db.query<{ exists: boolean }>(
    `select to_regclass('users') is not null as exists`,
  );
  if (!table!.exists) return [];
  const rows = await db.query<{ username: string; hash: string }>(
    `select username, password_hash as hash from users where id = any($1) and is_active order by id`,
    [Object.values(PEOPLE)],
  );
  const isKnown = await Promise.all(rows.map(({ hash }) => verifyPassword(hash, DEMO_PASSWORD)));
  return rows.filter((_, i) => isKnown[i]).map(({ username }) => username);
}

/** Replaces documented passwords with random ones, to be shown once, and ends the sessions of these accounts. */
export async function replaceDemoPasswords(db: Db): Promise<Passwords> {
  const names = await accountsWithDemoPassword(db);
  const passwords = Object.fromEntries(names.map((name) => [name, randomPassword()]));
  const hashed = await hashes(passwords);
  const audit = new Audit(db);
  await db.transaction(async () => {
    for (const name of names) {
      const values = [name, hashed[name]];
      const [user] = await db.query<{ id: string; OwnerId: string }>(
        `update users set password_hash = $2 where username = $1 returning id, owner_id as "OwnerId"`,
        values,
      );
      if (user)
        await audit.record({
          action: 'recovery.reset',
          OwnerId: user.OwnerId,
          target: ['users', user.id],
        });
    }
    await db.query(
      `update sessions set revoked_at = now()
        where revoked_at is null and user_id in (select id from users where username = any($1))`,
      [names],
    );
  });
  return passwords;
}

/** The error that keeps a publicly reachable API from starting while documented passwords are valid; null if it may start. */
export async function demoPasswordProblem(db: Db, addresses: Addresses): Promise<string | null> {
  const address = exposedAddress(addresses);
  const names = address === null ? [] : await accountsWithDemoPassword(db);
  if (!names.length) return null;
  return (
    `The API would be reachable at ${address} while these accounts have the documented demo password: ${names.join(', ')}. ` +
    `Replace the passwords with "cli.js demo-passwords", or use a database without demo data (DEMO=0).`
  );
}

async function hashes(passwords: Passwords): Promise<Passwords> {
  const hashed = Object.entries(passwords).map(
    async ([name, password]): Promise<[string, string]> => [name, await hashPassword(password)],
  );
  return Object.fromEntries(await Promise.all(hashed));
}
