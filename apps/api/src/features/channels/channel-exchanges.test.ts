import {
  ADMINISTRATOR_GRANTS,
  channels,
  type ChannelLive,
  sendings,
  type SendingReceipt,
} from '@heliograph/contract';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Carrier } from '../../../test/carrier.ts';
import { until } from '../../../test/until.ts';
import { type Person, World } from '../../../test/world.ts';
import { ChannelExchanges } from './channel-exchanges.service.ts';
import { ChannelTraffic } from './channel-traffic.service.ts';

let world: World;
let worker: INestApplicationContext;
let administrator: Person;
let customer: Person;
let carrier: Carrier;

beforeAll(async () => {
  world = await World.start();
  worker = await world.startWorker();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  customer = await world.person({ balance: 1000 });
  carrier = await Carrier.start(world, ['viber']);
});
afterAll(async () => {
  await carrier.stop();
  await world.stop();
});

const exchanges = async (query: object = {}) =>
  (
    await administrator.api(channels.exchanges, {
      params: { channel: carrier.name },
      query: query as never,
    })
  ).data;

test('what was sent and answered is found by message, by the end of the number and by failure', async () => {
  const send = async (recipient: string) => {
    const body = { type: 'viber' as const, recipient, payload: { sender: 'TEA', text: 'Geheim' } };
    return ((await customer.api(sendings.create, { body })) as SendingReceipt).id;
  };
  const first = await send('+79161234567');
  const found = await until(async () => {
    await worker.get(ChannelExchanges, { strict: false }).flush();
    const rows = await exchanges({ SendingId: first });
    return rows.length > 0 && rows;
  }, 'the exchange');
  expect(found).toMatchObject([{ outcome: 'accepted', tails: ['4567'], messages: 1 }]);
  expect(found[0]!.answer).toMatch(/^200\n/);
  expect(JSON.stringify(found)).not.toMatch(/Geheim|9161234567|whsec_/);
  carrier.meanwhile = () => Promise.resolve({ result: 'rejected', code: 17, text: 'No such tea' });
  const second = await send('+79161239999');
  await until(async () => {
    await worker.get(ChannelExchanges, { strict: false }).flush();
    return (await exchanges({ SendingId: second })).length > 0;
  }, 'the other exchange');
  carrier.meanwhile = () => Promise.resolve({ result: 'accepted' });
  expect(await exchanges({ tail: '9999' })).toMatchObject([{ SendingIds: [second] }]);
  expect(await exchanges({ isFailed: 'true' })).toMatchObject([{ outcome: 'rejected' }]);
  const [newest] = await exchanges();
  expect(await exchanges({ cursor: newest!.id })).toMatchObject([{ SendingIds: [first] }]);
  expect(await exchanges({ limit: 1 })).toEqual([newest]);
});

test('ten thousand calls of a second write few rows', () => {
  const log = worker.get(ChannelExchanges, { strict: false });
  let taken = 0;
  for (let i = 0; i < 10_000; i++) if (log.takes('busy')) taken++;
  expect(taken).toBe(20);
  expect(log.takes('calm')).toBe(true);
});

test('the page of a channel says what it does now', async () => {
  const results = (live: ChannelLive) =>
    (['accepted', 'rejected'] as const).map((name) =>
      live.minutes.reduce((total, minute) => total + minute[name], 0),
    );
  // An answer is in the log before it is recorded, and counted after its record is committed.
  const live = await until(async () => {
    await worker.get(ChannelTraffic, { strict: false }).flush();
    const now = await administrator.api(channels.live, { params: { channel: carrier.name } });
    return now.inFlight === 0 && results(now).every((count) => count > 0) && now;
  }, 'the count of the last answer');
  expect(live).toMatchObject({
    waiting: 0,
    rateAllowed: null,
    failures: 0,
    alarms: [],
  });
  expect(results(live)).toEqual([1, 1]);
  // The rejection is a final word of the carrier.
  const network = live.networks.find(({ mccmnc }) => mccmnc === '25001');
  expect(network?.day ?? { delivered: 0, failed: 1 }).toEqual({ delivered: 0, failed: 1 });
});
