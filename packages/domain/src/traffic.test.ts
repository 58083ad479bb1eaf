import { describe, expect, it } from 'vitest';
import { cpuTime } from './testing/complexity.ts';
import {
  compileGroups,
  compileMatches,
  compileTemplate,
  isTemplate,
  type GroupTemplate,
} from './traffic.ts';

describe('compileTemplate', () => {
  it.each([
    ['Code 1234', 'Code 1234', true],
    ['Code 1234', 'Code 1234!', false],
    ['Code %d{4}', 'Code 1234', true],
    ['Code %d{4}', 'Code 123', false],
    ['Code %d{4}', 'Code 12345', false],
    ['Code %d{4}', 'Code 12a4', false],
    ['Code %d{1,6}: keep it', 'Code 1: keep it', true],
    ['Code %d{1,6}: keep it', 'Code : keep it', false],
    ['Code %d{,6}.', 'Code .', true],
    ['Code %d{2,}.', 'Code 1234567890.', true],
    ['Hi %w{1,20}, your code is %d{4}', 'Hi Анна, your code is 0042', true],
    ['Hi %w{1,20}, your code is %d{4}', 'Hi Anna Maria, your code is 0042', false],
    ['Hi %w+{1,20}, your code is %d{4}', 'Hi Anna Maria, your code is 0042', true],
    ['%r{3}-%rd+{5} ok', 'чай-ёлка1 ok', true],
    ['%r{3} ok', 'tea ok', false],
    ['%l{1,9}%d{1,9} ok', 'ab12 ok', true],
    // Ambiguous matches are found without backtracking.
    ['%w{1,9}%d{1,9}a ok', 'a11a ok', true],
    ['%d{1,3}%d{1,3}%d{1,3} ok', '1234567890 ok', false],
    ['%d{1,3}%d{1,3}%d{1,3} ok', '123456789 ok', true],
    ['Hi {firstName|friend}, sale!', 'Hi Anna, sale!', true],
    ['Hi {firstName}, sale!', 'Hi , sale!', true],
    ['Hi {firstName}, sale!', 'Bye Anna, sale!', false],
    ['{{Order}} %d{1,5}', '{Order} 17', true],
    ['  Code %d{4}\n', '\tCode 1234 ', true],
    ['Code %q{4}', 'Code 1234', false],
    // Templates that match every text are invalid.
    ['{firstName}', 'Anything', false],
    ['%w+{1,100}', 'Anything', false],
    ['', '', false],
  ])('%j with %j: %s', (template, text, expected) => {
    expect(compileTemplate(template)(text)).toBe(expected);
  });

  it('takes linear time', () => {
    const matches = compileTemplate(`x${'%w+{0,5000}{firstName}'.repeat(50)}!`);
    const started = cpuTime();
    expect(matches(`x${'a'.repeat(4990)}`)).toBe(false);
    expect(cpuTime() - started).toBeLessThan(1000);
    expect(matches(`x${'a'.repeat(5001)}!`)).toBe(false);
  });
});

describe('isTemplate', () => {
  it.each([
    ['Code %d{4}', true],
    ['{firstName} 7', true],
    ['{firstName}', false],
    ['%w+{1,100}!', false],
    [' ', false],
  ])('%j: %s', (template, expected) => expect(isTemplate(template)).toBe(expected));
});

describe('compileGroups', () => {
  const code = { type: 'sms', text: 'Code %d{4}', group: 'service' } as const;
  const message = { type: 'sms', sender: 'TEA', text: 'Code 1234', mccmnc: '25001' } as const;
  const of = (templates: GroupTemplate[], over: object = {}) =>
    compileGroups(templates)({ ...message, ...over });

  it('returns advertising unless a template of the type matches the whole text', () => {
    expect(of([])).toBe('advertising');
    expect(of([code])).toBe('service');
    expect(of([code], { type: 'viber' })).toBe('advertising');
    expect(of([code], { text: 'Code 1234. Sale!' })).toBe('advertising');
  });

  it('returns the group of the first matching template, even advertising', () => {
    const sale = { type: 'sms', text: 'Code %w{1,9}', group: 'advertising' } as const;
    expect(of([code, sale])).toBe('service');
    expect(of([sale, code])).toBe('advertising');
  });

  it('names the template that matches, or none', () => {
    const match = compileMatches([{ ...code, title: 'Codes' }]);
    expect(match(message)).toMatchObject({ title: 'Codes', group: 'service' });
    expect(match({ ...message, text: 'Sale!' })).toBeNull();
    expect(match({ ...message, type: 'viber' })).toBeNull();
  });

  it('limits a template to its sender and network, also with cached texts', () => {
    const groupOf = compileGroups([
      { ...code, sender: 'Tea', mccmnc: '25001' },
      { ...code, group: 'transactional', mccmnc: '250*' },
      { ...code, text: 'Code %w{4}', group: 'advertising' },
      code,
    ]);
    for (let i = 0; i < 2; i++) {
      expect(groupOf(message)).toBe('service');
      expect(groupOf({ ...message, sender: 'COFFEE' })).toBe('transactional');
      expect(groupOf({ ...message, mccmnc: '25002' })).toBe('transactional');
      expect(groupOf({ ...message, mccmnc: '40101' })).toBe('advertising');
      expect(groupOf({ ...message, mccmnc: null })).toBe('advertising');
    }
  });

  it('caches a few texts', () => {
    const groupOf = compileGroups([code]);
    for (const n of [1, 2, 3, 4, 5, 6, 1, 2]) {
      expect(groupOf({ ...message, text: `Code 000${n}` })).toBe('service');
      expect(groupOf({ ...message, text: `Code ${n}` })).toBe('advertising');
    }
  });
});
