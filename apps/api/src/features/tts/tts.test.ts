import { sendings, settings, storage, templates, tts, type Sending } from '@heliograph/contract';
import { audioSeconds } from '@heliograph/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve, setCarrier } from '../../../test/factories.ts';
import { type Person, until, World } from '../../../test/world.ts';
import { StorageJobs } from '../storage/storage.jobs.ts';
import { TTS_LIMIT } from './tts.service.ts';

const TEXT = 'Your order is ready, come and get it';
const VOICE = 'speechkit:alena';
const speak = async (who: Person, text = TEXT, voice = VOICE) =>
  (await who.api(tts.generate, { body: { tts: voice, text } })).fileId;
const sender = '79001112233';

describe('an installation with tones', () => {
  let world: World;
  let owner: Person;
  beforeAll(async () => {
    world = await World.start();
    await setCarrier(world, {});
    owner = await world.person({ balance: 1000 });
    await approve(world, owner.id, sender, 'voice');
  });
  afterAll(() => world.stop());

  const meta = (id: string) =>
    owner.api(storage.get, { params: { id }, query: { return: 'meta' } });
  const bytes = async (id: string) => {
    const answer = await fetch(`${world.base}/api/storage/${id}?token=${owner.token}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const isGone = async (id: string) => {
    await world.api.get(StorageJobs, { strict: false }).dropExpired();
    const rows = await world.db.query(`select 1 from files where id = $1`, [id]);
    return rows.length === 0;
  };

  test('lists its voices', async () => {
    const { speech } = (await owner.api(settings.get)).tools;
    expect(speech?.voice).toBe(VOICE);
    expect(Map.groupBy(speech!.voices, (v) => v.synthesizer).get('polly')).toHaveLength(2);
    expect(Map.groupBy(speech!.voices, (v) => v.synthesizer).get('speechkit')).toHaveLength(11);
  });

  test('synthesizes a recording whose length depends on the text and the voice only', async () => {
    const id = await speak(owner);
    const file = await meta(id);
    expect(file).toMatchObject({
      type: 'audio/wav',
      seconds: 3,
      title: `${TEXT.replace(',', '')}.wav`,
    });
    const wait = Date.parse(file.expiredAt!) - world.clock.now().getTime();
    expect(wait).toBeGreaterThan(9 * 60_000);
    expect(wait).toBeLessThanOrEqual(10 * 60_000);
    const sound = await bytes(id);
    expect(audioSeconds(sound, sound.length)).toBe(3);
    expect(new Set(sound.subarray(44)).size).toBeGreaterThan(100);
    expect(await bytes(await speak(owner))).toEqual(sound);
    expect(await bytes(await speak(owner, TEXT, 'polly:maxim'))).not.toEqual(sound);
    expect(
      await bytes(await speak(owner, 'Your order is ready, {firstName|come and get it}')),
    ).toEqual(sound);
  });

  test('a recording is sent completely, and is kept', async () => {
    const [id, unused] = [await speak(owner), await speak(owner)];
    const worker = await world.startWorker();
    const receipt = await owner.api(sendings.create, {
      body: { type: 'voice', recipient: '+79990000000', payload: { sender, audio: id } },
    });
    expect(receipt).toMatchObject({ status: 'pending', error: null });
    const sent = await until(async () => {
      const params = { id: (receipt as { id: string }).id };
      const found: Sending = await owner.api(sendings.get, { params });
      return found.state.status === 'delivered' && found;
    }, 'it is delivered');
    // Its sweeps would delete what is about to be deleted.
    await worker.close();
    // 0.6 for the call and 0.09 for each of its three seconds.
    expect((sent as Sending).meta.billing?.amount).toBe(0.87);
    expect((await meta(id)).expiredAt).toBeNull();
    world.clock.forward(11 * 60);
    expect(await isGone(unused)).toBe(true);
    expect(await isGone(id)).toBe(false);
  }, 300_000);

  test('a recording is refused where the tariff counts no seconds; a text in a voice is not', async () => {
    const poor = await world.person({ balance: 1000 });
    await approve(world, poor.id, sender, 'voice');
    const audio = await speak(poor);
    await world.db.query(`delete from users_tariffs where owner_id = $1`, [poor.id]);
    const [tariff] = await world.db.query<{ id: string }>(
      `insert into tariffs (title, source) values ('Calls', 'voice') returning id`,
    );
    await world.db.query(
      `insert into tariff_rules (tariff_id, action, price) values ($1, 'increase', '{0.6}')`,
      [tariff!.id],
    );
    await world.db.query(`insert into users_tariffs values ($1, $2, 0)`, [poor.id, tariff!.id]);
    const call = { type: 'voice' as const, recipient: '+79990000000' };
    const spoken = { sender, tts: VOICE, text: TEXT };
    const refused = (property: string) => ({
      status: 422,
      body: { errors: [{ property, constraints: { seconds: expect.any(String) } }] },
    });
    await expect(
      poor.api(sendings.create, { body: { ...call, payload: { sender, audio } } }),
    ).rejects.toMatchObject(refused('payload.audio'));
    const fallback = { type: 'voice' as const, payload: { sender, audio } };
    const fallbacks = [{ ...fallback, options: { onStatus: ['failed' as const] } }];
    await expect(
      poor.api(sendings.estimate, { body: { ...call, payload: spoken, fallbacks } }),
    ).rejects.toMatchObject(refused('fallbacks.0.payload.audio'));
    expect(await poor.api(sendings.create, { body: { ...call, payload: spoken } })).toMatchObject({
      status: 'pending',
    });
  });

  test('a bulk, a fallback and a template need a recording, too; an estimate does not', async () => {
    const ids = [await speak(owner), await speak(owner), await speak(owner), await speak(owner)];
    const [bulk, fallback, template, asked] = ids as [string, string, string, string];
    const message = (audio: string) => ({ type: 'voice' as const, payload: { sender, audio } });
    const recipient = { include: ['+79990000000', '+79990000001'] };
    await owner.api(sendings.estimate, { body: { ...message(asked), recipient } });
    const schedule = { delay: new Date(world.clock.now().getTime() + 86_400_000).toISOString() };
    await owner.api(sendings.create, {
      body: {
        ...message(bulk),
        recipient,
        schedule,
        fallbacks: [{ ...message(fallback), options: { onStatus: ['failed'] } }],
      },
    });
    await owner.api(templates.create, { body: { title: 'Call', ...message(template) } });
    world.clock.forward(11 * 60);
    expect(await Promise.all([bulk, fallback, template].map(isGone))).toEqual([
      false,
      false,
      false,
    ]);
    expect(await isGone(asked)).toBe(true);
    await expect(
      owner.api(sendings.create, { body: { ...message(asked), recipient } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test.each([
    [{ tts: 'polly:nobody', text: 'Tea' }, 'tts'],
    [{ tts: VOICE, text: '  ' }, 'text'],
    [{ tts: VOICE, text: '{firstName}' }, 'text'],
    [{ tts: VOICE, text: '{nothing}' }, 'text'],
    [{ tts: VOICE, text: 'a'.repeat(4097) }, 'text'],
  ])('%j is refused', async (body, field) => {
    await expect(owner.api(tts.generate, { body })).rejects.toMatchObject({
      status: 422,
      body: { data: [expect.objectContaining({ field })] },
    });
  });

  test('an account over its rate limit gets Retry-After', async () => {
    const busy = await world.person();
    for (let n = 0; n < TTS_LIMIT; n++) await speak(busy);
    await expect(speak(busy)).rejects.toMatchObject({
      status: 429,
      body: { code: 'rate_limited', payload: { expires_at: expect.any(String) } },
    });
  });
});

test('the alternate product has the voices of the first synthesizer', async () => {
  const world = await World.start({ BRAND: 'alternate' });
  try {
    const person = await world.person();
    expect((await person.api(settings.get)).tools.speech).toMatchObject({
      voice: 'polly:tatyana',
      voices: [{ id: 'polly:tatyana' }, { id: 'polly:maxim' }],
    });
    await expect(speak(person)).rejects.toMatchObject({ status: 422 });
    await expect(speak(person, TEXT, 'polly:tatyana')).resolves.toBeDefined();
  } finally {
    await world.stop();
  }
});

test('without a configured service the endpoint is unavailable', async () => {
  const world = await World.start({ TTS: 'off' });
  try {
    const person = await world.person();
    expect((await person.api(settings.get)).tools.speech).toBeNull();
    await expect(speak(person)).rejects.toMatchObject({ status: 503 });
  } finally {
    await world.stop();
  }
});
