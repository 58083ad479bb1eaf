import { sendings, type CarrierReport, type Sending } from '@heliograph/contract';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StatusEvents } from '../../src/features/sendings/status-events.ts';
import { Carrier } from '../carrier.ts';
import { balance, ended, problems } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start();
  carrier = await Carrier.start(world, ['hlr']);
  await world.startWorker();
});
afterAll(async () => {
  await world.stop();
  carrier.stop();
});
beforeEach(async () => {
  owner = await world.person({ balance: 10_000 });
  carrier.meanwhile = () => Promise.resolve({ result: 'accepted' });
});

let phone = 79_161_000_000;
async function ask(): Promise<string> {
  const body = { type: 'hlr', recipient: `+${phone++}`, payload: { sender: 'TEA' } };
  return ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
}
const get = (id: string): Promise<Sending> => owner.api(sendings.get, { params: { id } });
const submitted = (id: string) =>
  until(async () => (await get(id)).state.status === 'sent', `the submit of ${id}`);
const resultsOf = async (reports: object[]) =>
  (await carrier.report(reports as CarrierReport[])).json as {
    results: { result: string; reason?: string }[];
  };
const MTS = { mcc: '250', mnc: '01', name: expect.any(String) };
const MEGAFON = { mcc: '250', mnc: '02', name: expect.any(String) };

test('what a carrier says of a number is shown with its status, and charged once', async () => {
  const before = await balance(world, owner.id);
  const id = await ask();
  await submitted(id);
  const lookup = { network: '25001', origin: 25_002, ported: true, roaming: 'no' };
  const report = { reference: id, status: 'delivered', lookup };
  expect(await resultsOf([report])).toMatchObject({ results: [{ result: 'applied' }] });
  const charged = before - (await balance(world, owner.id));
  expect(charged).toBeGreaterThan(0);
  const shown = await get(id);
  expect(shown.state.status).toBe('delivered');
  expect(shown.lookup).toEqual({ network: MTS, origin: MEGAFON, ported: true, roaming: false });
  // A late repeat with other words changes nothing.
  const other = { ...report, lookup: { network: '25099' } };
  expect(await resultsOf([other])).toMatchObject({ results: [{ result: 'ignored' }] });
  expect((await get(id)).lookup).toEqual(shown.lookup);
  expect(before - (await balance(world, owner.id))).toBe(charged);
  expect(await problems(world)).toEqual([]);
});

test.each([
  ['absent for now', 'absent_subscriber', { network: '25001' }],
  ['no subscriber at all', 'number_not_found', undefined],
  ['not known', 'unknown', { roaming: '?' }],
])('a number that is %s fails with a reason of its own, and is refunded', async (_, code, said) => {
  const before = await balance(world, owner.id);
  const id = await ask();
  await submitted(id);
  await resultsOf([{ reference: id, status: 'failed', code, ...(said && { lookup: said }) }]);
  const shown = await ended(owner, id);
  expect(shown.state).toMatchObject({ status: 'failed', code });
  expect(shown.lookup?.network ?? null).toEqual(said && 'network' in said ? MTS : null);
  expect(await balance(world, owner.id)).toBe(before);
  expect(await problems(world)).toEqual([]);
});

test('a report that comes before the submit is recorded keeps what it says', async () => {
  const externalId = `lookup-${randomUUID()}`;
  carrier.meanwhile = async () => {
    const lookup = { network: '25002', ported: false };
    const report = { externalId, status: 'delivered', lookup };
    expect(await resultsOf([report])).toMatchObject({ results: [{ result: 'unmatched' }] });
    return { result: 'accepted', externalId };
  };
  const id = await ask();
  const shown = await ended(owner, id);
  const unsaid = { origin: null, roaming: null };
  expect(shown.lookup).toEqual({ network: MEGAFON, ported: false, ...unsaid });
});

test('a webhook has it with the event that ends the message, and not with those before', async () => {
  const id = await ask();
  await submitted(id);
  await resultsOf([{ reference: id, status: 'delivered', lookup: { network: '25001' } }]);
  const events = world.api.get(StatusEvents, { strict: false }) as unknown as {
    load: (OwnerId: string, events: object[]) => Promise<Record<string, unknown>[]>;
  };
  const [sent, delivered] = await events.load(owner.id, [
    { key: id, data: { status: 'sent' } },
    { key: id, data: { status: 'delivered' } },
  ]);
  expect(sent).not.toHaveProperty('lookup');
  expect(delivered).toMatchObject({ lookup: { network: MTS } });
});

test('a look-up that is not one, or cannot be read, does no harm', async () => {
  const id = await ask();
  await submitted(id);
  const answer = await resultsOf([
    { reference: id, status: 'delivered', lookup: { network: { mcc: 250 } } },
    { reference: id, status: 'delivered', lookup: { network: 'x' } },
  ]);
  expect(answer).toMatchObject({ results: [{ result: 'invalid' }, { result: 'applied' }] });
  expect((await get(id)).lookup).toBeUndefined();
});
