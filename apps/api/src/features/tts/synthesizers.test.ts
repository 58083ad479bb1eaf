import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storage, tts } from '@heliograph/contract';
import { audioSeconds } from '@heliograph/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExternalService } from '../../../test/external-service.ts';
import { type Person, World } from '../../../test/world.ts';
import { wav } from './wav.ts';

const TEXT = 'Your order is ready, come and get it';
const VOICE = 'speechkit:alena';
const speak = async (who: Person, text = TEXT, voice = VOICE) =>
  (await who.api(tts.generate, { body: { tts: voice, text } })).fileId;

describe('an installation with espeak-ng', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-espeak-'));
  const { PATH } = process.env;
  let world: World;
  let owner: Person;
  /** Puts a program of that name in the way. */
  const install = (script: string) => {
    writeFileSync(join(folder, 'espeak-ng'), `#!${process.execPath}\n${script}`, { mode: 0o755 });
  };
  beforeAll(async () => {
    process.env.PATH = `${folder}:/nowhere`;
    world = await World.start({ TTS: 'espeak' });
    owner = await world.person();
  });
  afterAll(async () => {
    process.env.PATH = PATH;
    await world.stop();
    rmSync(folder, { recursive: true });
  });

  test('is refused if the program is not installed', async () => {
    await expect(speak(owner)).rejects.toMatchObject({ status: 503 });
  });

  test('passes the language of the text and corrects the length in the WAV header', async () => {
    install(`
      const text = require('node:fs').readFileSync(0, 'utf8');
      const sound = Buffer.alloc(44 + 22050 * 2 * 2);
      Buffer.from('${wav(new Int16Array(1), 22050).toString('hex')}', 'hex').copy(sound);
      sound.writeUInt32LE(0x7ffff000, 40);
      sound.write(JSON.stringify([process.argv.slice(2, 4), text]), 44);
      process.stdout.write(sound);
    `);
    const heard = async (text: string, voice: string) => {
      const id = await speak(owner, text, voice);
      const answer = await fetch(`${world.base}/api/storage/${id}?token=${owner.token}`);
      const sound = Buffer.from(await answer.arrayBuffer());
      expect(audioSeconds(sound, sound.length)).toBe(2);
      expect(sound.readUInt32LE(40)).toBe(sound.length - 44);
      return JSON.parse(sound.toString('utf8', 44).replaceAll('\0', '')) as unknown;
    };
    expect(await heard('-v Заказ готов', 'polly:maxim')).toEqual([
      ['-v', 'ru+m3'],
      '-v Заказ готов',
    ]);
    expect(await heard(TEXT, VOICE)).toEqual([['-v', 'en-us+f1'], TEXT]);
  });

  test.each(['process.exit(1)', ''])('is not available when it ends with %j', async (script) => {
    install(script);
    await expect(speak(owner)).rejects.toMatchObject({ status: 503 });
  });
});

describe('an installation with a service', () => {
  let world: World;
  let owner: Person;
  const service = new ExternalService<object>();
  beforeAll(async () => {
    const TTS_URL = `${await service.start()}speak`;
    world = await World.start({ TTS: 'http', TTS_URL, TTS_KEY: 'key-of-ours' });
    owner = await world.person();
  });
  afterAll(async () => {
    await world.stop();
    service.stop();
  });

  test('requests the voice and stores the recording', async () => {
    service.reply = [200, wav(new Int16Array(16_000), 8000)];
    const id = await speak(owner);
    expect(service.received.headers.authorization).toBe('Bearer key-of-ours');
    expect(service.received.body).toEqual({ synthesizer: 'speechkit', voice: 'alena', text: TEXT });
    const file = await owner.api(storage.get, { params: { id }, query: { return: 'meta' } });
    expect(file).toMatchObject({ type: 'audio/wav', seconds: 2 });
  });

  test.each([
    [429, '{}', 429],
    [500, '', 503],
    [200, '', 503],
    [200, '<html>', 503],
    [200, 'x'.repeat(21 * 1024 * 1024), 503],
  ])('an answer of %i is passed on as what it means', async (status, body, code) => {
    service.reply = [status, body];
    await expect(speak(owner)).rejects.toMatchObject({ status: code });
    expect((await owner.api(storage.find, {})).total).toBe(1);
  });
});
