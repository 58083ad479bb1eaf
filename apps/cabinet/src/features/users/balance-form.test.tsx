import type { User } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { i18n } from '../../core/i18n/i18n.ts';
import { draw } from '../../../test/draw.tsx';
import { accept, refuse } from '../../../test/server.ts';
import { BalanceForm } from './balance-form.tsx';

const OwnerId = '01930000-0000-7000-8000-000000000103';
const user = { id: OwnerId, OwnerId, username: 'anna', currency: 'RUB', balance: 10 } as User;
const onClose = vi.fn<() => void>();
const drawn = () => draw(<BalanceForm user={user} onClose={onClose} />, { namespaces: ['users'] });
const sum = () => screen.getByRole('textbox', { name: new RegExp(i18n.t('users:sum')) });
const submit = () => screen.getByRole('button', { name: i18n.t('users:doAccrual') });

beforeEach(() => onClose.mockClear());

test('marks a sum that is no number before it asks the server', async () => {
  const bodies = accept('post', '/billings');
  const page = await drawn();
  await page.user.type(sum(), 'many');
  await page.user.click(submit());
  await waitFor(() => expect(document.activeElement).toBe(sum()));
  expect(sum().getAttribute('aria-invalid')).toBe('true');
  expect(bodies).toEqual([]);
});

test('puts a refusal of the amount on the sum', async () => {
  refuse('post', '/billings', {
    errors: [{ property: 'amount', constraints: { too_big: 'too big' } }],
  });
  const page = await drawn();
  await page.user.type(sum(), '100');
  await page.user.click(submit());
  await screen.findByText(i18n.t('errors:rule.too_big'));
  await waitFor(() => expect(document.activeElement).toBe(sum()));
  expect(screen.queryByText(i18n.t('errors:code.validation'))).toBeNull();
});

test('names a refused field that it does not draw', async () => {
  refuse('post', '/billings', {
    data: [{ field: 'OwnerId', type: 'unknown', message: 'no such account' }],
  });
  const page = await drawn();
  await page.user.type(sum(), '100');
  await page.user.click(submit());
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toContain(i18n.t('errors:rule.unknown'));
});

test('books once and closes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const bodies = accept('post', '/billings', {}, promise);
  const page = await drawn();
  await page.user.type(sum(), '100,50');
  await page.user.dblClick(submit());
  resolve();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toEqual([
    { source: 'accrual', amount: 100.5, OwnerId, data: { hidden: { noRef: false } } },
  ]);
});
