import { describe, expect, it } from 'vitest';
import { isValidButtonLink, senderNameErrors } from './senders.ts';

describe('senderNameErrors', () => {
  it.each([
    ['sms', 'DEMO', []],
    ['sms', 'A!?-_.()1', []],
    ['sms', 'Heliograph1', []],
    ['sms', 'abc', ['length']],
    ['sms', 'Heliograph12', ['length']],
    ['sms', 'my shop', ['characters']],
    ['sms', 'Магазин', ['characters']],
    ['sms', '123456', []],
    ['sms', '1234', []],
    ['sms', '2-0!', []],
    ['sms', 'demo\n', ['characters']],
    ['sms', '12', ['length']],
    ['sms', '', ['required']],
    ['sms', '    ', ['required']],
    ['voice', '123456', []],
    ['voice', '123456789012345', []],
    ['voice', '12345', ['length']],
    ['voice', '1234567890123456', ['length']],
    ['voice', '+79161234567', ['characters']],
    ['voice', '١٢٣٤٥٦', ['characters']],
    ['viber', 'Мой магазин', []],
    ['viber', ' ', ['required']],
  ])('%s %j violates %j', (type, name, expected) => {
    expect(senderNameErrors(type, name)).toEqual(expected);
  });
});

describe('isValidButtonLink', () => {
  it.each([
    ['http://example.com', true],
    ['HTTPS://example.com/a?b=c#d', true],
    ['viber://chat?number=1', true],
    ['tel:+79161234567', true],
    ['callto:skype.name', true],
    ['https://пример.рф', true],
    ['https:example.com', false],
    ['https://', false],
    ['tel:', false],
    ['ftp://example.com', false],
    ['javascript:alert(1)', false],
    [' https://example.com', false],
    ['https://exa mple.com', false],
    ['https://example.com\n', false],
    ['example.com', false],
    ['', false],
  ])('%j: %s', (url, expected) => {
    expect(isValidButtonLink(url)).toBe(expected);
  });

  it('allows at most 2048 characters', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`;
    expect(url).toHaveLength(2048);
    expect([isValidButtonLink(url), isValidButtonLink(`${url}a`)]).toEqual([true, false]);
  });
});
