import { expect, test } from 'vitest';
import { operatorByCode } from './operators.ts';

test.each([
  ['25001', { name: 'MTS', country: 'RU' }],
  ['401*', { name: null, country: 'KZ' }],
  ['25098', { name: null, country: 'RU' }],
  ['99999', null],
  ['999*', null],
])('%s is %o', (code, expected) => {
  expect(operatorByCode(code)).toEqual(expected);
});
