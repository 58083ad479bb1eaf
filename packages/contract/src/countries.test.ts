import { expect, test } from 'vitest';
import { OtpWidgetInput } from './otp-settings.ts';
import { PurchasePrice } from './purchase-prices.ts';
import { RouteInput } from './routes.ts';

const INPUTS = {
  'a route': (code: string) =>
    RouteInput.safeParse({
      title: 'Abroad',
      channels: [{ ChannelId: 'first' }],
      countries: [code],
    }),
  'a widget': (code: string) => OtpWidgetInput.safeParse({ name: 'Shop', countries: [code] }),
  'a purchase price': (code: string) =>
    PurchasePrice.safeParse({ type: 'sms', destination: code, price: 1 }),
};

test.each(Object.entries(INPUTS))('%s takes countries that exist', (_, parse) => {
  expect(parse('GB').success).toBe(true);
  for (const code of ['UK', 'XX', 'gb', 'GBR']) expect(parse(code).success, code).toBe(false);
});
