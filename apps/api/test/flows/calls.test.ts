import {
  ADMINISTRATOR_GRANTS,
  channels,
  sendings,
  sendingsIncoming,
  storage,
} from '@heliograph/contract';
import { typeCode } from '@heliograph/domain';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { wav } from '../../src/features/tts/wav.ts';
import { approve, ended, problems } from '../factories.ts';
import { ARI, AriPeer } from '../peers/ari-peer.ts';
import { type Person, until, World } from '../world.ts';

const SENDER = '74951230000';
let world: World;
let administrator: Person;
let owner: Person;
let peer: AriPeer;

beforeAll(async () => {
  world = await World.start();
  administrator = await world.person({ level: 'manager', grants: { add: ADMINISTRATOR_GRANTS } });
  await world.startWorker();
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.db.query(`update channels set is_active = false where driver = 'ari'`);
  owner = await world.person({ balance: 10_000 });
  await approve(world, owner.id, SENDER, 'voice');
  peer = new AriPeer();
  await administrator.api(channels.create, {
    body: {
      name: `pbx-${randomUUID().slice(0, 8)}`,
      driver: 'ari',
      types: ['voice', 'flashcall'],
      isActive: true,
      priority: 10,
      options: {
        url: await peer.listen(),
        ...ARI,
        endpoint: 'PJSIP/{number}@trunk',
        flashCaller: '7495123XXXX',
        answerSeconds: 60,
      },
    },
  });
  world.forgetChannels();
});
afterEach(() => peer.close());

let numbers = 0;
const newPhone = () => `+7902556${String(++numbers).padStart(4, '0')}`;
const send = async (body: object) =>
  ((await owner.api(sendings.create, { body: body as never })) as { id: string }).id;
const dialled = (id: string) =>
  until(async () => Promise.resolve(peer.ids.find((one) => one.endsWith(id))), `a call for ${id}`);
const code = (more: object = {}) =>
  send({
    type: 'flashcall',
    recipient: newPhone(),
    payload: { sender: 'TEA', text: '4829' },
    ...more,
  });

test('a code is delivered when the phone rings', async () => {
  const id = await code();
  peer.ring(await dialled(id));
  expect((await ended(owner, id)).state.status).toBe('delivered');
  await until(async () => Promise.resolve(peer.ids.length === 0), 'the end of the call');
  expect(await problems(world)).toEqual([]);
});

test('a line that is busy starts the fallback', async () => {
  const fallback = {
    type: 'viber',
    payload: { sender: 'Mir Tea', text: '4829' },
    $options: { onStatus: ['failed'] },
  };
  const id = await code({ fallbacks: [fallback] });
  peer.hangUp(await dialled(id), 17, 'User busy');
  const chain = await until(async () => {
    const rows = await world.db.query<{ type: number; error: string | null }>(
      `select type, error from sendings where id = $1 or chain_id = $1 order by attempt`,
      [id],
    );
    return rows.length === 2 && rows;
  }, 'the fallback');
  expect(chain).toMatchObject([
    { type: typeCode('flashcall'), error: 'busy' },
    { type: typeCode('viber') },
  ]);
  expect(await problems(world)).toEqual([]);
});

test('a recording is fetched by Asterisk, and the keys that are pressed are a reply', async () => {
  const form = new FormData();
  const recording = wav(new Int16Array(8_000), 8_000);
  form.append('file', new Blob([new Uint8Array(recording)], { type: 'audio/wav' }), 'tea.wav');
  const { id: audio } = await owner.api(storage.create, { body: form as never });
  const recipient = newPhone();
  const id = await send({ type: 'voice', recipient, payload: { sender: SENDER, audio } });
  const call = await dialled(id);
  peer.ring(call);
  peer.answer(call);
  const [sound] = await until(
    async () => Promise.resolve(peer.played.length > 0 && peer.played),
    'the recording',
  );
  const { pathname, search } = new URL(sound!.replace('sound:', ''));
  const fetched = await fetch(`${world.base}${pathname}${search}`);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(recording)).toBe(true);
  peer.finish(call);
  peer.press(call, '1#');
  expect((await ended(owner, id)).state.status).toBe('delivered');
  const data = await until(async () => {
    const found = await owner.api(sendingsIncoming.find, { query: {} as never });
    return found.data.length > 0 && found.data;
  }, 'the reply');
  expect(data).toMatchObject([
    { from: recipient, to: SENDER, type: 'voice', payload: { text: '1' } },
  ]);
  peer.hangUp(call, 16);
  expect(await problems(world)).toEqual([]);
});
