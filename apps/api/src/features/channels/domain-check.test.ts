import { ADMINISTRATOR_GRANTS, channels } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Person, World } from '../../../test/world.ts';
import { DnsLookups } from './domain-check.service.ts';

let world: World;
let administrator: Person;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  const options = { url: 'smtp://mx.example', domain: 'mail.tea.example' };
  await world.db.query(
    `insert into channels (name, driver, types, options) values ('mail', 'smtp', '{email}', $1)`,
    [{ ...options, bounceDomain: 'back.example', bounceSecret: 'a-secret-of-bounces' }],
  );
  world.forgetChannels();
});
afterAll(() => world.stop());

/** The DNS of the test; a name without an answer cannot be looked up. */
function dns(answers: Record<string, string[]>) {
  vi.spyOn(world.api.get(DnsLookups, { strict: false }), 'find').mockImplementation(
    (name, type) => {
      const found = answers[`${type} ${name}`];
      return found ? Promise.resolve(found) : Promise.reject(new Error('no answer'));
    },
  );
}
const check = async (channel = 'mail') =>
  (await administrator.api(channels.domain, { params: { channel } })).records.map(
    ({ kind, name, found, state }) => [kind, name, found, state],
  );

test('the records of a domain are compared with what the channel needs', async () => {
  const spf = 'v=spf1 a:mx.example -all';
  dns({
    'TXT back.example': ['google-site-verification=x', spf],
    'TXT _dmarc.mail.tea.example': [],
    'TXT _dmarc.tea.example': ['v=DMARC1; p=reject'],
    'MX back.example': ['10 mx.back.example', '20 mx2.back.example'],
  });
  expect(await check()).toEqual([
    ['spf', 'back.example', [spf], 'right'],
    ['dmarc', '_dmarc.tea.example', ['v=DMARC1; p=reject'], 'right'],
    ['bounces', 'back.example', ['10 mx.back.example', '20 mx2.back.example'], 'right'],
  ]);
});

test('what is missing, wrong, twice there, or not to be known is told', async () => {
  dns({
    'TXT back.example': ['v=spf1 -all', 'v=spf1 ~all'],
    'TXT _dmarc.mail.tea.example': ['v=DMARC1; p=all'],
    'MX back.example': [],
  });
  expect(await check()).toEqual([
    ['spf', 'back.example', ['v=spf1 -all', 'v=spf1 ~all'], 'wrong'],
    ['dmarc', '_dmarc.mail.tea.example', ['v=DMARC1; p=all'], 'wrong'],
    ['bounces', 'back.example', [], 'missing'],
  ]);
  dns({ 'TXT back.example': ['x'.repeat(9_000)] });
  expect(await check()).toEqual([
    ['spf', 'back.example', [], 'missing'],
    ['dmarc', '_dmarc.mail.tea.example', [], 'unknown'],
    ['bounces', 'back.example', [], 'unknown'],
  ]);
});

test('other channels have no domain', async () => {
  expect(await check('simulator')).toEqual([]);
});
