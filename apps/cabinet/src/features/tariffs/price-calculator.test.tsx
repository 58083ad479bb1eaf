import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { PriceCalculator } from './price-calculator.tsx';

const settings = (speech: object | null) => ({
  sendings: { types: ['sms', 'voice'], sendernamesCheck: [], country: 'RU' },
  tools: { speech },
  permissions: {},
});
const NAMESPACES = ['tariffs', 'sendernames'];

test('a call whose text a voice reads is priced, with its length', async () => {
  const bodies: unknown[] = [];
  server.use(
    http.post('*/api/sendings/estimate', async ({ request }) => {
      bodies.push(await request.json());
      const lines = [{ count: 1, multiplier: 3, price: [1, 0.5], amount: 2.5 }];
      const operators = [{ mccmnc: null, name: 'Tea Mobile', count: 1, amount: 2.5, lines }];
      return HttpResponse.json({ amount: 2.5, currency: 'RUB', segments: 1, operators });
    }),
  );
  const { user } = await draw(<PriceCalculator />, {
    namespaces: NAMESPACES,
    settings: settings({ voice: 'anna', voices: [] }),
  });
  const type = screen.getByLabelText(i18n.t('tariffs:calculator.type'));
  await user.selectOptions(type, i18n.t('type.voice'));
  const sender = () =>
    screen.getByRole('textbox', { name: new RegExp(i18n.t('sendernames:select.label')) });
  // Its code is loaded after the list.
  await waitFor(() => expect(sender().hasAttribute('disabled')).toBe(false));
  await user.type(sender(), '79001112233');
  await user.type(
    screen.getByRole('textbox', { name: new RegExp(i18n.t('tariffs:calculator.phone')) }),
    '+79161234567',
  );
  expect(await screen.findByText('₽2.50')).toBeTruthy();
  expect(screen.getByText('3 sec')).toBeTruthy();
  expect(bodies.at(-1)).toMatchObject({ type: 'voice', payload: { tts: 'anna' } });
});

test('without voices there are no calls to price', async () => {
  await draw(<PriceCalculator />, { namespaces: NAMESPACES, settings: settings(null) });
  expect(screen.queryByRole('option', { name: i18n.t('type.voice') })).toBeNull();
  expect(screen.getByRole('option', { name: i18n.t('type.sms') })).toBeTruthy();
});
