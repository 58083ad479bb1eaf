import { expect, it } from 'vitest';
import { PERSON_NAME } from './names.ts';

it.each([
  '',
  'Łukasz',
  'Şahin',
  'Ірина',
  'Марʼяна',
  'Әлия',
  'O’Brien',
  "O'Brien",
  'Анна-Мария',
  'de la Cruz',
])('%j is a name', (text) => expect(text).toMatch(PERSON_NAME));

it.each(['Anna1', '<b>', 'Anna@', 'Άννα', '安娜', 'a\nb'])('%j is not a name', (text) =>
  expect(text).not.toMatch(PERSON_NAME),
);
