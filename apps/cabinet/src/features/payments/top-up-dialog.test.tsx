import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { rememberReturn, returnPath } from '../../core/return-to.ts';
import { TopUpDialog } from './top-up-dialog.tsx';

test('closes over a typed sum without a question, and begins anew', async () => {
  server.use(
    http.get('*/api/payments/methods', () =>
      HttpResponse.json([{ method: 'sandbox', commission: 0, isRecurrent: false }]),
    ),
  );
  const payments = {
    defaults: { individual: 3000, legal: 1000 },
    minAmount: 10,
    maxAmount: 300_000,
    wallet: null,
  };
  const { user, router } = await draw(<TopUpDialog />, {
    namespaces: ['payments'],
    settings: {
      permissions: { 'payments.get': 'me' },
      advanced: { isRestricted: false },
      payments,
    },
  });
  await router.navigate('/here?topUp=individual');
  await user.click(await screen.findByText(i18n.t('payments:cards')));
  const amount = await screen.findByLabelText(new RegExp(`^${i18n.t('payments:amount')}`));
  await user.clear(amount);
  await user.type(amount, '500');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toBe('');
});

test('proposes what is missing, and remembers where the payer came from', async () => {
  server.use(
    http.get('*/api/payments/methods', () =>
      HttpResponse.json([{ method: 'sandbox', commission: 0, isRecurrent: false }]),
    ),
  );
  const payments = {
    defaults: { individual: 3000, legal: 1000 },
    minAmount: 10,
    maxAmount: 300_000,
    wallet: null,
  };
  const { user, router } = await draw(<TopUpDialog />, {
    namespaces: ['payments'],
    settings: {
      permissions: { 'payments.get': 'me' },
      advanced: { isRestricted: false },
      payments,
    },
  });
  await router.navigate('/here?step=send&topUp=individual&topUpAmount=349');
  await user.click(await screen.findByText(i18n.t('payments:cards')));
  const amount = await screen.findByLabelText(new RegExp(`^${i18n.t('payments:amount')}`));
  expect((amount as HTMLInputElement).value.replaceAll(/\D/g, '')).toMatch(/^349(?:00)?$/);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(router.state.location.search).toBe('?step=send'));
  rememberReturn('/send?step=send');
  expect(returnPath()).toBe('/send?step=send');
  rememberReturn('//elsewhere.example');
  expect(returnPath()).toBe('/');
  rememberReturn(undefined);
  expect(returnPath()).toBeNull();
});

test('methods that could not be read are read again, and not called unavailable', async () => {
  let asked = 0;
  server.use(
    http.get('*/api/payments/methods', () =>
      asked++
        ? HttpResponse.json([{ method: 'sandbox', commission: 0, isRecurrent: false }])
        : HttpResponse.json({ code: 'forbidden' }, { status: 403 }),
    ),
  );
  const { user, router } = await draw(<TopUpDialog />, {
    namespaces: ['payments'],
    settings: {
      permissions: { 'payments.get': 'me' },
      advanced: { isRestricted: false },
      payments: { wallet: null },
    },
  });
  await router.navigate('/here?topUp=individual');
  await user.click(await screen.findByRole('button', { name: i18n.t('retry') }));
  expect(await screen.findByText(i18n.t('payments:cards'))).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.queryByText(i18n.t('payments:noMethods'))).toBeNull();
});

test('who may not read payments is told that no method is available, and none is asked for', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/payments/methods', ({ request }) => {
      asked.push(request.url);
      return HttpResponse.json([{ method: 'sandbox', commission: 0, isRecurrent: false }]);
    }),
  );
  const payments = { defaults: { individual: 3000, legal: 1000 }, wallet: null };
  const { router } = await draw(<TopUpDialog />, {
    namespaces: ['payments'],
    settings: { permissions: {}, advanced: { isRestricted: false }, payments },
  });
  await router.navigate('/here?topUp=true');
  await screen.findByText(i18n.t('payments:noMethods'));
  expect(screen.queryByText(i18n.t('payments:individual'))).toBeNull();
  expect(asked).toEqual([]);
});
