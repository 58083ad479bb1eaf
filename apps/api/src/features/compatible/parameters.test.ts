import { expect, test } from 'vitest';
import { Parameters } from './parameters.ts';

const given = (text: string) => {
  const parameters = new Parameters();
  parameters.add(text);
  return parameters;
};

test.each([
  ['text=a+b%20c', undefined, 'a b c'],
  ['text=%D0%BF', undefined, 'п'],
  ['text=%CF%F0%E8%E2%E5%F2', 'windows-1251', 'Привет'],
  ['text=%04%1F%04%40', 'UTF-16BE', 'Пр'],
  ['text=%04%1F%04%40', 'UCS-2', 'Пр'],
  ['text=%F0%D2%C9', 'KOI8-R', 'При'],
  ['text=100%', undefined, '100%'],
  ['text=100%zz', undefined, '100%zz'],
  ['text', undefined, ''],
  ['text=a=b', undefined, 'a=b'],
  ['text=1&text=2', undefined, '1'],
  ['te%78t=1', undefined, '1'],
])('%s in %s is %s', (query, encoding, expected) => {
  expect(given(query).text('text', encoding)).toBe(expected);
});

test('bytes that are no text, unknown encodings and endless lists are refused', () => {
  expect(() => given('text=%CF%F0').text('text')).toThrow('not valid in its encoding');
  expect(() => given('text=a').text('text', 'klingon')).toThrow('not valid in its encoding');
  expect(() => given('%CF=a')).toThrow('not valid in its encoding');
  expect(() => given('a&'.repeat(1001))).toThrow('too many');
});

test('the query comes before the form, and the first given name counts', () => {
  const both = given('user=query');
  both.add('user=form&pass=x');
  expect(both.first('username', 'user')).toBe('query');
  expect(both.first('password', 'pass')).toBe('x');
  expect(both.first('none')).toBeUndefined();
  expect(both.names()).toEqual(['user', 'pass']);
});
