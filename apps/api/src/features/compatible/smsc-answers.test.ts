import { expect, test } from 'vitest';
import {
  failed,
  formatted,
  moscowTime,
  numberOf,
  smscError,
  smscStatus,
  smscTime,
  type SmscFormat,
} from './smsc-answers.ts';

const NOW = new Date('2026-11-26T17:04:00Z');

test.each([
  ['', '', undefined],
  ['0', '', undefined],
  ['2611262104', '', '2026-11-26T18:04:00.000Z'],
  ['2611262104', '2', '2026-11-26T16:04:00.000Z'],
  ['2611262104', '-3', '2026-11-26T21:04:00.000Z'],
  ['+30', '', '2026-11-26T17:34:00.000Z'],
  ['01795712709', '', '2026-11-26T17:05:09.000Z'],
  ['3102262104', '', null],
  ['2613262104', '', null],
  ['2611262504', '', null],
  ['2611262160', '', null],
  ['2611262104', '99', null],
  ['2611262104', 'x', null],
  ['10-18', '', null],
  ['tomorrow', '', null],
])('the time %s with the zone %s is %s', (text, tz, expected) => {
  const at = smscTime(text, tz, NOW);
  expect(at ? at.toISOString() : at).toBe(expected);
});

test.each([
  ['0', 'OK - 1 SMS, ID - 7'],
  ['1', '7,1'],
  ['2', '<?xml version="1.0" encoding="utf-8"?>\n<result><id>7</id><cnt>1</cnt></result>\n'],
  ['3', { id: 7, cnt: 1 }],
])('an answer in the format %s', (format, expected) => {
  const fields = { id: 7, cnt: 1, cost: undefined };
  expect(formatted(format as SmscFormat, fields, 'OK - 1 SMS, ID - 7').body).toEqual(expected);
});

test.each([
  ['0', 'ERROR = 3 (no money), ID - a<b'],
  ['1', 'a<b,-3'],
  [
    '2',
    '<?xml version="1.0" encoding="utf-8"?>\n<result><error>no money</error><error_code>3</error_code><id>a&lt;b</id></result>\n',
  ],
  ['3', { error: 'no money', error_code: 3, id: 'a<b' }],
])('a refusal in the format %s', (format, expected) => {
  expect(failed(format as SmscFormat, 3, 'no money', 'a<b').body).toEqual(expected);
});

test('a refusal without an id of the client', () => {
  expect(failed('1', 2, 'authorise error').body).toBe('0,-2');
  expect(failed('3', 2, 'authorise error').body).toEqual({
    error: 'authorise error',
    error_code: 2,
  });
});

test.each([
  ['pending', null, -1, 0],
  ['paused', null, -1, 0],
  ['sent', null, 0, 0],
  ['delivered', null, 1, 0],
  ['seen', null, 2, 0],
  ['failed', 'expired', 3, 255],
  ['failed', 'absent_subscriber', 20, 6],
  ['failed', 'number_not_found', 22, 1],
  ['failed', 'content_rejected', 23, 255],
  ['failed', 'insufficient_funds', 24, 255],
  ['failed', 'no_route', 25, 255],
  ['failed', 'stopped', -2, 255],
  ['failed', 'a code of tomorrow', 20, 255],
])('%s (%s) is %d with the error %d', (status, code, expected, error) => {
  expect(smscStatus(status, code)).toBe(expected);
  expect(smscError(status, code)).toBe(error);
});

test('numbers of messages have 31 bits and are always the same', () => {
  const ids = Array.from(
    { length: 100 },
    (_, i) => `01978a3c-5d4e-7b21-9c3a-${String(i).padStart(12, '0')}`,
  );
  const numbers = ids.map(numberOf);
  expect(new Set(numbers).size).toBe(100);
  expect(numbers.every((one) => Number.isInteger(one) && one > 0 && one < 2 ** 31)).toBe(true);
  expect(ids.map(numberOf)).toEqual(numbers);
  expect(moscowTime('2026-11-26T22:04:09.000Z')).toBe('27.11.2026 01:04:09');
});
