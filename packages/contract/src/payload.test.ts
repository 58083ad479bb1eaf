import { expect, test } from 'vitest';
import * as z from 'zod';
import { checkPayload, isTooLong, type Payload } from './payload.ts';
import type { SendingType } from './types.ts';

const FILE = '0192a000-0000-7000-8000-000000000001';
const rulesOf = (type: SendingType, payload: Partial<Payload>) =>
  z
    .unknown()
    .superRefine((_, ctx) => checkPayload(type, { sender: 'TEA', ...payload }, ctx, []))
    .safeParse(null)
    .error?.issues.map((issue) => (issue as { params?: { rule?: string } }).params?.rule) ?? [];

test.each<[SendingType, object, number]>([
  ['whatsapp', { image: FILE }, 1024],
  ['whatsapp', { file: FILE }, 1024],
  ['chat_whatsapp', { image: FILE }, 1024],
  ['telegram', { image: FILE }, 1024],
  ['chat_telegram', { file: FILE }, 1024],
  ['telegram', {}, 4096],
  ['whatsapp', { image: null }, 4096],
  ['viber', { image: FILE }, 1000],
  ['vk', { image: FILE }, 4096],
])('a %s with %j has at most %i characters, as written and as filled in', (type, media, limit) => {
  expect(rulesOf(type, { ...media, text: 'a'.repeat(limit) })).toEqual([]);
  expect(rulesOf(type, { ...media, text: 'a'.repeat(limit + 1) })).toEqual(['too_long']);
  expect(isTooLong(type, { text: 'a'.repeat(limit) }, media)).toBe(false);
  expect(isTooLong(type, { text: 'a'.repeat(limit + 1) }, media)).toBe(true);
});
