import { OTP_WIDGET_DEFAULTS, otpWidgets } from '@heliograph/contract';
import { expect, test } from 'vitest';
import { addressesOf, bodyOf, initialValues, stylesOf } from './widget-values.ts';

test('addresses come by lines and by commas, without blanks', () => {
  expect(addressesOf(' 10.0.0.1, 10.0.0.0/8 \n\n,2001:db8::/32\n')).toEqual([
    '10.0.0.1',
    '10.0.0.0/8',
    '2001:db8::/32',
  ]);
});

test('a new widget has a body that the contract takes, open to all addresses', () => {
  const body = bodyOf({ ...initialValues(null), name: ' Shop ' });
  expect(body).toMatchObject({ name: 'Shop', ipWhitelist: ['{ip}/0'], countries: null });
  expect(otpWidgets.create.body!.safeParse(body).success).toBe(true);
});

test('a widget that is open to all addresses has an empty field of them', () => {
  expect(initialValues(null).ipWhitelist).toBe('');
  expect(bodyOf({ ...initialValues(null), ipWhitelist: '10.0.0.1' }).ipWhitelist).toEqual([
    '10.0.0.1',
  ]);
});

test('a new widget begins as one of which only the name is given, with a captcha', () => {
  const body = bodyOf({ ...initialValues(null), name: 'Shop' });
  const bare = otpWidgets.create.body!.parse({ name: 'Shop' });
  expect(body).toMatchObject({ ...OTP_WIDGET_DEFAULTS, countries: null });
  expect(bare).toMatchObject({ ...OTP_WIDGET_DEFAULTS, countries: null });
  expect(bare.captchaIsRequired).toBe(true);
});

test('free requests that are no positive number are saved as none', () => {
  const values = { ...initialValues(null), captchaFirstFreeRequestsPerIp: 0 };
  expect(bodyOf(values).captchaFirstFreeRequestsPerIp).toBeNull();
});

test('the preview leaves out a colour that is being typed; the body does not hide it from the check', () => {
  const values = initialValues(null);
  const typing = { ...values, styles: { ...values.styles, primaryColor: '#12' } };
  expect(stylesOf(typing, true).primaryColor).toBeNull();
  expect(stylesOf(typing).primaryColor).toBe('#12');
});
