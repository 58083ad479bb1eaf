import { expect, it } from 'vitest';
import { normalizeEmail } from './emails.ts';

it.each([
  [' Anna@Tea.example ', 'anna@tea.example'],
  ['a.b+c@mail.tea.example', 'a.b+c@mail.tea.example'],
  ['\u202aanna@tea.example\u202c', 'anna@tea.example'],
  ['anna@tea', null],
  ['anna tea@tea.example', null],
  ['+79161234567', null],
  ['анна@чай.example', 'анна@чай.example'],
  ["o'brien@tea.example", "o'brien@tea.example"],
  ['<anna@tea.example>', null],
  ['anna@[127.0.0.1]', null],
  ['group:anna@tea.example;', null],
  ['anna(at)tea@tea.example', null],
  ['"anna"@tea.example', null],
  ['anna\\@tea.example', null],
  ['anna@tea.example\u202e', 'anna@tea.example'],
  ['an\u200bna@tea.example', 'anna@tea.example'],
  ['anna\u{e0001}@tea.example', null],
  ['anna\u0000@tea.example', null],
  ['anna\r\nbcc:eve@tea.example', null],
])('%s is normalized to %s', (typed, email) => {
  expect(normalizeEmail(typed)).toBe(email);
});
