import { expect, test } from 'vitest';
import { carriesSender, registeredNameErrors, type RegisteredAt } from './channel-names.ts';
import type { SendingType } from './types.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const registered: RegisteredAt = new Map([
  [
    'strict',
    new Map([
      ['sms:mirtea', NOW.getTime() - 1],
      ['sms:now', NOW.getTime()],
      ['sms:later', NOW.getTime() + 1],
      ['voice:74951234567', 0],
    ]),
  ],
  ['empty', new Map()],
]);

test.each<[string, string, SendingType, string, boolean]>([
  ['a registered name', 'strict', 'sms', 'MIRTEA', true],
  ['the same in other letters', 'strict', 'sms', 'MirTea', true],
  ['a name that is registered from this moment on', 'strict', 'sms', 'NOW', true],
  ['a name that will be registered', 'strict', 'sms', 'LATER', false],
  ['a name that is not registered', 'strict', 'sms', 'OTHER', false],
  ['a type that shares the names of sms', 'strict', 'viber', 'MIRTEA', true],
  ['a number for calls', 'strict', 'voice', '74951234567', true],
  ['a name of sms for calls', 'strict', 'voice', 'MIRTEA', false],
  ['a number for calls as a name of sms', 'strict', 'sms', '74951234567', false],
  ['no name', 'strict', 'hlr', '', true],
  ['a blank name', 'strict', 'flashcall', ' ', true],
  ['the phone of an own instance', 'strict', 'wapi', '79161234567', true],
  ['any name, where none is registered', 'empty', 'sms', 'MIRTEA', false],
  ['any name, where none need be', 'free', 'sms', 'OTHER', true],
])('%s', (_, channel, type, sender, expected) => {
  expect(carriesSender(registered, channel, { type, sender }, NOW)).toBe(expected);
});

test.each<['sms' | 'voice', string, string[]]>([
  ['sms', 'MIRTEA', []],
  ['sms', '7UP', []],
  ['sms', 'Tea & Co', []],
  ['sms', ' ', ['required']],
  ['voice', '74951234567', []],
  ['voice', '+74951234567', ['characters']],
  ['voice', '123', ['length']],
])('%s %s', (type, name, errors) => {
  expect(registeredNameErrors(type, name)).toEqual(errors);
});
