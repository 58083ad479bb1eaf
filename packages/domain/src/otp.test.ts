import { expect, test } from 'vitest';
import { autofillLine, otpTemplateError, otpText, withAutofill } from './otp.ts';

const SITE = 'Your code: {code}\n@shop.example #{code}';

test.each([
  ['Your code: {code}', null],
  [SITE, null],
  ['Your code: {code}\n\n@shop.example #{code} %pay.example', null],
  ['Your code: {code}\n\n@shop.example #{code} @pay.example %pay.example', null],
  ['Ваш код: {code}\n@чай.рф #{code}', null],
  ['Your code: {code}\n@Shop.example.:8443 #{code} @pay.example:443', null],
  ['Your code: {code}\nFA+9qCX9VSu', null],
  // Without the code for the person, and with a line that is not the last.
  ['Your code\n@shop.example #{code}', 'otp_code'],
  ['@shop.example #{code}\nYour code: {code}', 'otp_code'],
  ['Your code: {code}\n@shop.example {code}', 'otp_code'],
  ['Your code: {code} {name}\n@shop.example #{code}', 'otp_braces'],
])('%j is refused for %s', (template, reason) => {
  expect(otpTemplateError(template)).toBe(reason);
});

test.each([
  ['shop.example', '@shop.example #{code}'],
  [' Shop.example ', '@shop.example #{code}'],
  ['FA+9qCX9VSu', 'FA+9qCX9VSu'],
  ['https://Shop.example:8443/sign-in?a=b', '@shop.example #{code}'],
  ['чай.рф', '@xn--80as4b.xn--p1ai #{code}'],
  ['XN--80AS4B.xn--P1AI', '@xn--80as4b.xn--p1ai #{code}'],
  ['shop.example.', '@shop.example #{code}'],
  ['https://Чай.РФ.:8443/', '@xn--80as4b.xn--p1ai #{code}'],
  ['shop.example..', null],
  ['https://bücher.example/', '@xn--bcher-kva.example #{code}'],
  ['ftp://shop.example/', null],
  ['[2001:db8::1.2.3.4]', null],
  ['javascript:alert(1.5)', null],
  ['shop.example #{code} @evil.example', null],
  ['localhost', null],
  ['shop .example', null],
  ['shop.example\n@evil.example', null],
  ['', null],
])('%j is the line %j', (written, line) => {
  expect(autofillLine(written)).toBe(line);
});

test.each([
  ['Your code: {code}', SITE],
  [`${SITE}\n`, SITE],
  ['Your code: {code}\n\nFA+9qCX9VSu', SITE],
  ['Your code: {code}\n@other.example #{code} %frame.example', SITE],
])('the line is the last of %j, once', (template, expected) => {
  const line = autofillLine('shop.example')!;
  expect(withAutofill(template, line)).toBe(expected);
  expect(withAutofill(withAutofill(template, line), line)).toBe(expected);
});

test('programs read the digits as they are entered, people in groups', () => {
  expect(otpText(SITE, 'sms', '123456', true)).toEqual({
    text: 'Your code: 123-456\n@shop.example #123456',
    masked: 'Your code: ***-***\n@shop.example #******',
  });
  expect(otpText(SITE, 'voice', '1234', false).text).toBe('Your code: 1 2 3 4');
  expect(
    otpText('Код: {code}\n@чай.рф #{code} @Bücher.example %чай.рф', 'sms', '1234', false).text,
  ).toBe('Код: 1234\n@xn--80as4b.xn--p1ai #1234 @xn--bcher-kva.example %xn--80as4b.xn--p1ai');
  expect(otpText('{code}', 'flashcall', '1234', true)).toEqual({ text: '1234', masked: '****' });
});
