import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { uuidv7 } from '../uuid.ts';
import type { SecretBox } from './secret-box.ts';
import { SignedIds } from './signed-ids.ts';

const boxOf = (...secrets: string[]) =>
  ({
    keysFor: (use: string) =>
      Promise.resolve(secrets.map((secret) => createHmac('sha256', secret).update(use).digest())),
  }) as SecretBox;
const id = uuidv7(new Date('2026-11-30T10:00:00Z'));

test('a token is read with the key and for the use it was made with, also after the key was replaced', async () => {
  const token = (await new SignedIds(boxOf('one'), 'opens').signer())(id);
  expect(token).toMatch(/^[\w-]{34}$/);
  expect(await new SignedIds(boxOf('one'), 'opens').read(token)).toBe(id);
  expect(await new SignedIds(boxOf('two', 'one'), 'opens').read(token)).toBe(id);
  expect(await new SignedIds(boxOf('two'), 'opens').read(token)).toBeNull();
  expect(await new SignedIds(boxOf('one'), 'unsubscribe').read(token)).toBeNull();
});

test('no other character makes another genuine token', async () => {
  const ids = new SignedIds(boxOf('one'), 'opens');
  const token = (await ids.signer())(id);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let at = 0; at < token.length; at++)
    for (const char of alphabet) {
      const other = token.slice(0, at) + char + token.slice(at + 1);
      expect(await ids.read(other)).toBe(other === token ? id : null);
    }
  for (const other of ['', token.slice(1), `${token}A`, `${token}\n`])
    expect(await ids.read(other)).toBeNull();
});

test('keys that could not be read are read again', async () => {
  let isAway = true;
  const box = {
    keysFor: () => (isAway ? Promise.reject(new Error('away')) : boxOf('one').keysFor('opens')),
  } as Partial<SecretBox> as SecretBox;
  const ids = new SignedIds(box, 'opens');
  await expect(ids.signer()).rejects.toThrow('away');
  isAway = false;
  expect(await ids.read((await ids.signer())(id))).toBe(id);
});
