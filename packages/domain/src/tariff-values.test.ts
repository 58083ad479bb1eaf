import { expect, test } from 'vitest';
import type { TariffTag } from './tariff.ts';
import { isTariffValue } from './tariff-values.ts';

test.each<[TariffTag, string[], string[]]>([
  ['mccmnc', ['25001', '310410', '401*'], ['401', '*', '2500a', '25*01', '']],
  ['recipient', ['+7', '+79161234567'], ['7', '+', '+7916x', '8 916']],
  ['type', ['sms', 'voice'], ['fax', 'SMS', '']],
  ['group', ['service', 'advertising'], ['spam']],
  ['contactList', ['01930000-0000-7000-8000-0000000000a1'], ['list', '01930000']],
  ['keywords', ['код'], [' ', '']],
  ['text', ['-10%'], ['', 'x'.repeat(101)]],
  ['sender', ['MIRTEA'], ['']],
])('%s: values that a message can have', (tag, right, wrong) => {
  expect(right.filter((value) => !isTariffValue(tag, value))).toEqual([]);
  expect(wrong.filter((value) => isTariffValue(tag, value))).toEqual([]);
});
