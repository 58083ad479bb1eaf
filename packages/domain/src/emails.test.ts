import { expect, it } from 'vitest';
import { normalizeEmail } from './emails.ts';

it.each([
  [' Anna@Tea.example ', 'anna@tea.example'],
  ['a.b+c@mail.tea.example', 'a.b+c@mail.tea.example'],
  ['\u202aanna@tea.example\u202c', 'anna@tea.example'],
  ['anna@tea', null],
  ['anna tea@tea.example', null],
  ['+79161234567', null],
])('%s is spelled %s', (typed, email) => {
  expect(normalizeEmail(typed)).toBe(email);
});
