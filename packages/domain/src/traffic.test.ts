import { describe, expect, it } from 'vitest';
import { compileTemplate } from './traffic.ts';

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
    // Which of several readings fits is found without trying each.
    ['%w{1,9}%d{1,9}a ok', 'a11a ok', true],
    ['%d{1,3}%d{1,3}%d{1,3} ok', '1234567890 ok', false],
    ['%d{1,3}%d{1,3}%d{1,3} ok', '123456789 ok', true],
    ['Hi {firstName|friend}, sale!', 'Hi Anna, sale!', true],
    ['Hi {firstName}, sale!', 'Hi , sale!', true],
    ['Hi {firstName}, sale!', 'Bye Anna, sale!', false],
    ['{{Order}} %d{1,5}', '{Order} 17', true],
    ['  Code %d{4}\n', '\tCode 1234 ', true],
    ['Code %q{4}', 'Code 1234', false],
    // What would match everything is no template.
    ['{firstName}', 'Anything', false],
    ['%w+{1,100}', 'Anything', false],
    ['', '', false],
  ])('%j with %j: %s', (template, text, expected) => {
    expect(compileTemplate(template)(text)).toBe(expected);
  });

  it('takes no longer than the text and the template are long', () => {
    const matches = compileTemplate(`x${'%w+{0,5000}{firstName}'.repeat(50)}!`);
    const started = performance.now();
    expect(matches(`x${'a'.repeat(4990)}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1000);
    expect(matches(`x${'a'.repeat(5001)}!`)).toBe(false);
  });
});
