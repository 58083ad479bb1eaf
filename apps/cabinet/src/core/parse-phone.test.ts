import { expect, it } from 'vitest';
import { parsePhone } from './parse-phone.ts';

it.each([
  ['8 (900) 123-45-67', 'RU', '+79001234567', 'RU'],
  ['900 123 45 67', 'RU', '+79001234567', 'RU'],
  ['+7 900 123 45 67', 'BY', '+79001234567', 'RU'],
  ['701 123 45 67', 'KZ', '+77011234567', 'KZ'],
  ['29 123-45-67', 'BY', '+375291234567', 'BY'],
  ['375291234567', 'BY', '+375291234567', 'BY'],
  ['0171 1234567', 'DE', '+491711234567', 'DE'],
  ['+49 (0)171 1234567', 'DE', '+491711234567', 'DE'],
  ['011 49 171 1234567', 'US', '+491711234567', 'DE'],
])('reads %s of %s as %s', (typed, country, phone, found) => {
  expect(parsePhone(typed, country)).toEqual({ phone, country: found });
});

it.each([
  '',
  '12345',
  'abc',
  '+7 900',
  '900 123-45-67 доб. 1',
  '900 123-45-6/7',
  '900 123-45-67, 901 123-45-67',
  '9001234567.5',
  '8 900 123-45-6x7',
])('refuses %j', (typed) => {
  expect(parsePhone(typed, 'RU')).toBeNull();
});
