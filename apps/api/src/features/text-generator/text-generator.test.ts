import {
  GeneratorForm,
  GeneratorLanguage,
  settings,
  textGenerator,
  TONES,
} from '@heliograph/contract';
import { compileText, isWithinLimit } from '@heliograph/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExternalService } from '../../../test/external-service.ts';
import { type Person, World } from '../../../test/world.ts';
import { loadConfig } from '../../core/config.ts';
import { compose } from './local.writer.ts';
import { GENERATOR_LIMIT } from './text-generator.service.ts';

const FORM = { messageTheme: 'green tea for half the price', occasion: 'spring sale' };
const form = (over: object = {}) => GeneratorForm.parse({ ...FORM, ...over });
const generate = (who: Person, over: object = {}, channel: 'sms' | 'viber' = 'sms') =>
  who.api(textGenerator.generate, { body: { channel, formValues: { ...FORM, ...over } } });

describe('the local writer', () => {
  test('contains the given keywords in the requested tone', () => {
    expect(compose(form(), { segments: 1 })).toBe(
      'News: spring sale. For you: green tea for half the price. We look forward to hearing from you. Reply to this message and we will tell you more.',
    );
    expect(
      compose(
        form({ emotionalTone: 'joyful', addEmojis: true, endQuestion: true, language: 'ru' }),
        {
          characters: 120,
        },
      ),
    ).toBe(
      '🎉 Ура, spring sale! Для вас: green tea for half the price. Присоединяйтесь, будет здорово! Ждать вас?',
    );
    expect(
      compose(form({ rephraseText: 'Come to us today', additionalNotes1: 'Until Sunday' }), {
        characters: 60,
      }),
    ).toBe('News: spring sale. Come to us today. Until Sunday.');
  });

  test('returns text that fits unchanged', () => {
    const messageTheme = 'tea for $& and $$1, {occasion}';
    const text = compose(form({ messageTheme, occasion: "$'s day" }), { characters: 100 });
    expect(text).toContain("News: $'s day. For you: tea for $& and $$1, {occasion}.");
  });

  test('uses the maximum length in every language and tone without exceeding it', () => {
    for (const language of GeneratorLanguage.options)
      for (const emotionalTone of TONES)
        for (const segments of [2, 3, 10]) {
          const text = compose(form({ language, emotionalTone, addEmojis: true }), { segments });
          expect([text, isWithinLimit(text, { segments })]).toEqual([text, true]);
          expect(() => compileText(text)).not.toThrow();
        }
  });
});

describe('an installation with the local one', () => {
  let world: World;
  let customer: Person;
  beforeAll(async () => {
    world = await World.start();
    customer = await world.person();
  });
  afterAll(() => world.stop());

  test('reports that it is configured, and gives equal answers to equal requests', async () => {
    expect((await customer.api(settings.get)).tools.textGenerator).toBe(true);
    const { result } = await generate(customer);
    expect(result).toContain('green tea for half the price');
    expect((await generate(customer)).result).toBe(result);
    const short = await generate(customer, { otherChars: 30 }, 'viber');
    expect(short.result.length).toBeLessThanOrEqual(30);
  });

  test.each([
    ['messageTheme', ''],
    ['occasion', '  '],
    ['smsSegments', 0],
    ['smsSegments', 11],
    ['smsSegments', 1.5],
    ['otherChars', 0],
    ['otherChars', 1001],
    ['emotionalTone', 'rude'],
    ['language', 'la'],
  ])('%s may not be %j', async (field, value) => {
    await expect(generate(customer, { [field]: value })).rejects.toMatchObject({
      status: 422,
      body: { data: [expect.objectContaining({ field: `formValues.${field}` })] },
    });
  });

  test('an account over its rate limit gets Retry-After', async () => {
    const busy = await world.person();
    for (let n = 0; n < GENERATOR_LIMIT; n++) await generate(busy);
    const refused = await generate(busy).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const { expires_at } = (refused as { body: { payload: { expires_at: string } } }).body.payload;
    const wait = Date.parse(expires_at) - Date.now();
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
    await expect(generate(customer)).resolves.toBeDefined();
  });
});

test('without a configured service the endpoint is unavailable', async () => {
  const world = await World.start({ TEXT_GENERATOR: 'off' });
  try {
    const person = await world.person();
    expect((await person.api(settings.get)).tools.textGenerator).toBe(false);
    await expect(generate(person)).rejects.toMatchObject({ status: 503 });
  } finally {
    await world.stop();
  }
});

test('a model requires a URL and a name', () => {
  const env = { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', TEXT_GENERATOR: 'http' };
  expect(() => loadConfig(env)).toThrow(/TEXT_GENERATOR_URL.*\n.*TEXT_GENERATOR_MODEL/);
  expect(() => loadConfig({ ...env, TEXT_GENERATOR: 'magic' })).toThrow(/TEXT_GENERATOR/);
});

describe('an installation with a model', () => {
  let world: World;
  let customer: Person;
  const model = new ExternalService<{ model: string; messages: { content: string }[] }>();
  const says = (content: string) => JSON.stringify({ choices: [{ message: { content } }] });
  beforeAll(async () => {
    const address = await model.start();
    world = await World.start({
      TEXT_GENERATOR: 'http',
      TEXT_GENERATOR_URL: `${address}v1/chat/completions`,
      TEXT_GENERATOR_MODEL: 'small',
      TEXT_GENERATOR_KEY: 'key-of-ours',
    });
    customer = await world.person();
  });
  afterAll(async () => {
    await world.stop();
    model.stop();
  });

  test('sends the configured request with the key and without data of the account', async () => {
    model.reply = [200, says(' «Tea is ready» ')];
    const { result } = await generate(customer, {
      language: 'ru',
      smsSegments: 2,
      endQuestion: true,
    });
    expect(result).toBe('Tea is ready');
    expect(model.received.headers.authorization).toBe('Bearer key-of-ours');
    expect(model.received.body.model).toBe('small');
    const [system, user] = model.received.body.messages.map(({ content }) => content);
    expect(system).toContain('Write in Russian');
    expect(system).toContain('At most 134 characters');
    expect(system).toContain('End with a question');
    expect(JSON.parse(user!)).toEqual({ theme: FORM.messageTheme, occasion: FORM.occasion });
  });

  test('truncates long texts and removes unknown variables', async () => {
    model.reply = [200, says(`Dear {name}, tea is ready. ${'Come soon to us. '.repeat(20)}`)];
    const { result } = await generate(customer);
    expect(result).toMatch(/^Dear name, tea is ready\..*us\.$/);
    expect(isWithinLimit(result, { segments: 1 })).toBe(true);
  });

  test.each([
    ['Dear {firstName|dear friend}, tea is ready', 22, 'Dear'],
    ['{firstName|dear friend of the house}', 15, 'firstName|dear'],
    ['Dear {firstName|friend}, tea is ready', 24, 'Dear {firstName|friend},'],
  ])('%j within %i characters is %j', async (written, otherChars, result) => {
    model.reply = [200, says(written)];
    const who = await world.person();
    expect((await generate(who, { otherChars }, 'viber')).result).toBe(result);
  });

  test('passes on that it is busy', async () => {
    model.reply = [429, '{}', { 'retry-after': '7' }];
    const refused = await generate(customer).catch((error: unknown) => error);
    const { payload } = (refused as { body: { payload: { expires_at: string } } }).body;
    const wait = Date.parse(payload.expires_at) - Date.now();
    expect(wait).toBeGreaterThan(4000);
    expect(wait).toBeLessThanOrEqual(7000);
  });

  test.each([
    [500, 'key-of-ours is wrong'],
    [200, 'no JSON'],
    [200, '{"choices":[]}'],
    [200, says('   ')],
    [302, ''],
  ])('is not available when it answers %i %j', async (...answer) => {
    model.reply = answer;
    const who = await world.person();
    const refused = await generate(who).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(JSON.stringify((refused as { body: object }).body)).not.toContain('key-of-ours');
  });
});
