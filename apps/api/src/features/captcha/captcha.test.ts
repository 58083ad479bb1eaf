import { captcha, type CaptchaChallenge } from '@heliograph/contract';
import { createChallenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GeneratedSecrets } from '../../core/auth/generated-secrets.ts';
import { World } from '../../../test/world.ts';

/** After two attempts in an hour a network solves a captcha; six are too many with one, too. */

let world: World;
let n = 0;
beforeAll(async () => {
  world = await World.start({
    CAPTCHA_AFTER: '2',
    REGISTRATION_LIMIT: '6',
    PASSWORD_MIN: '8',
    PASSWORD_MAX: '64',
    TRUST_PROXY: '1',
  });
});
afterAll(() => world.stop());

const answer = async (path: string, body: object, address: string) => {
  const response = await fetch(`${world.base}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { code?: string }) };
};
const form = (more: object = {}) => ({
  username: `captcha-${n++}`,
  password: 'a password that is rather long',
  data: { email: 'anna@tea.example', phone: '+79001234567', firstName: 'Anna' },
  ...more,
});
const register = (address: string, more?: object) => answer('/registration', form(more), address);
const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');

/** Like the server's challenges, with less work. */
async function easy(more: { secret?: string; expiresIn?: number } = {}): Promise<CaptchaChallenge> {
  const secret = more.secret ?? (await world.api.get(GeneratedSecrets).get('captcha'));
  return createChallenge({
    algorithm: 'SHA-256',
    cost: 1,
    counter: 1,
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + (more.expiresIn ?? 600),
    hmacSignatureSecret: secret,
    hmacKeySignatureSecret: `${secret}:key`,
  }) as Promise<CaptchaChallenge>;
}
async function solved(challenge?: CaptchaChallenge): Promise<string> {
  const given = challenge ?? (await easy());
  const solution = await solveChallenge({ challenge: given, deriveKey });
  return encoded({ challenge: given, solution });
}
async function used(address: string): Promise<void> {
  await register(address);
  await register(address);
}

test('a solution is valid once, and attempts per network are limited even with solutions', async () => {
  const address = '10.1.1.1';
  const wanted = [201, 201, 403, 201, 403, 201, 429];
  const payload = await solved();
  const captchas = [
    undefined,
    undefined,
    undefined,
    payload,
    payload,
    await solved(),
    await solved(),
  ];
  const given: number[] = [];
  for (const one of captchas) given.push((await register(address, { captcha: one })).status);
  expect(given).toEqual(wanted);
});

test('a refusal requires the captcha for this network only', async () => {
  await used('10.1.1.2');
  expect(await register('10.1.1.2')).toMatchObject({ status: 403, code: 'captcha_required' });
  expect((await register('10.1.1.3')).status).toBe(201);
});

test('a recovery e-mail counts, and may require a captcha', async () => {
  const address = '10.1.1.4';
  const ask = (more: object = {}) =>
    answer('/recover', { login: `nobody-${n++}`, ...more }, address);
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  expect(await ask()).toMatchObject({ code: 'captcha_required' });
  expect((await ask({ captcha: await solved() })).status).toBe(200);
});

test('forged, altered, late and missing solutions are refused', async () => {
  const address = '10.1.1.5';
  await used(address);
  const challenge = await world.client()(captcha.challenge, {});
  const solution = (await solveChallenge({ challenge, deriveKey }))!;
  const late = Math.floor(Date.now() / 1000) + 99_999;
  const forged = [
    await solved(await easy({ secret: 'my own secret' })),
    await solved(await easy({ expiresIn: -5 })),
    encoded({ challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } }),
    encoded({
      challenge: { ...challenge, parameters: { ...challenge.parameters, expiresAt: late } },
      solution,
    }),
    encoded({ challenge }),
    encoded('[]'),
    Buffer.from('[[[[').toString('base64'),
    'no base64 at all {',
  ];
  for (const one of forged) {
    const { status, code } = await answer(
      '/recover',
      { login: `nobody-${n++}`, captcha: one },
      address,
    );
    expect([one.slice(0, 20), status, code]).toEqual([one.slice(0, 20), 403, 'captcha_required']);
  }
  // The server's own challenge with its solution is valid.
  const good = encoded({ challenge, solution });
  expect((await answer('/recover', { login: 'nobody', captcha: good }, address)).status).toBe(200);
});

test('the length of passwords is configured', async () => {
  const rule = async (password: string) => {
    const refused = (await register(`10.1.2.${n}`, { password })) as { data?: { type: string }[] };
    return refused.data?.[0]?.type;
  };
  expect(await rule('7 chars')).toBe('too_small');
  expect(await rule('8 chars!')).toBeUndefined();
  expect(await rule('x'.repeat(65))).toBe('too_big');
  expect(await rule('x'.repeat(129))).toBe('too_big');
});
