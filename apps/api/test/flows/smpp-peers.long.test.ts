import { sendings, sendingsIncoming, tokens } from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kannel, startKannel } from '../../../../scripts/lib/kannel.mjs';
import { smppPeers } from '../../../../scripts/lib/smpp-peers.mjs';
import { approve, INSTANT, problems, setCarrier } from '../factories.ts';
import { type Person, until, World } from '../world.ts';

let world: World;
let owner: Person;
let kannel: Kannel;

beforeAll(async () => {
  const peers = await smppPeers();
  world = await World.start();
  await world.startWorker();
  await setCarrier(world, INSTANT);
  owner = await world.person({ balance: 1000 });
  await approve(world, owner.id);
  const { token } = await owner.api(tokens.create, { body: { description: 'Kannel' } });
  const [, systemId, secret] = /^(hg_\w{12})_(.*)$/.exec(token)!;
  const { port } = await world.startSmpp();
  kannel = await startKannel(peers, { port, systemId: systemId!, password: secret!.slice(0, 8) });
}, 600_000);
afterAll(async () => {
  await kannel?.stop();
  await world.stop();
});

const GSM = 'Hello @£$_{}[]~^|€àéñü';
const LONG = `${'0123456789'.repeat(30)}€`;
const CYRILLIC = 'Съешь ещё этих мягких французских булок, да выпей же чаю. Ёлки 😀 в лесу';

test('Kannel sends short and long texts, and gets its receipts and the messages of people', async () => {
  const from = 'MIRTEA';
  for (const message of [{ text: GSM }, { text: LONG }, { text: CYRILLIC, coding: 2 }])
    expect(await kannel.send({ from, ...message })).toBe(202);
  const delivered = () => kannel.calls.filter((call) => call.get('dlr') === '1');
  await until(async () => delivered().length >= 3, 'receipts', 60_000);
  const { data } = await owner.api(sendings.find, { query: {} });
  expect(data.map(({ payload }) => payload.text).sort()).toEqual([GSM, LONG, CYRILLIC].sort());
  expect(data.map(({ recipient }) => recipient)).toEqual(data.map(() => '+79161234567'));
  expect(data.map(({ meta }) => meta.billing !== null)).toEqual([true, true, true]);

  for (const text of ['Привет', GSM])
    await owner.api(sendingsIncoming.create, {
      body: { from: '+79161234567', to: from, type: 'sms', payload: { text } } as never,
    });
  const messages = () => kannel.calls.filter((call) => call.has('from'));
  await until(async () => messages().length >= 2, 'messages of people', 60_000);
  expect(messages().map((call) => call.get('text'))).toEqual(['Привет', GSM]);
  expect(kannel.calls.filter((call) => call.get('dlr') === '2')).toEqual([]);
  expect(await problems(world)).toEqual([]);
}, 180_000);
