import { expect, it } from 'vitest';

import { readSmscConfig } from './smsc-config.ts';

it('has defaults for all but the password', () => {
  expect(readSmscConfig({ PASSWORD: 'secret' })).toEqual({
    host: '127.0.0.1',
    port: 2775,
    systemId: 'heliograph',
    password: 'secret',
    profile: { profile: undefined },
    seed: '1',
    receipts: undefined,
    answerMs: undefined,
    breakAfter: undefined,
    receiptsFirst: false,
  });
});

it.each([
  ['PASSWORD', undefined],
  ['PASSWORD', 'nine-char'],
  ['SYSTEM_ID', 'a name with spaces'],
  ['PORT', '65536'],
  ['PROFILE', 'brisk'],
  ['RECEIPTS', 'paper'],
  ['ANSWER_MS', '-1'],
  ['BREAK_AFTER', 'soon'],
  ['RECEIPTS_FIRST', 'yes'],
])('names %s that is %s', (name, value) => {
  expect(() => readSmscConfig({ PASSWORD: 'secret', [name]: value })).toThrow(`${name}: `);
});
