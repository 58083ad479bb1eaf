import type { Estimate } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { i18n } from '../../../core/i18n/i18n.ts';
import { PriceTable } from './price-table.tsx';

const ESTIMATE: Estimate = {
  exact: true,
  recipients: 50,
  skipped: {},
  assumed: [],
  segments: 50,
  amount: 140,
  max: 140,
  currency: 'RUB',
  balanceAfter: 944,
  enough: true,
  quiet: null,
  cap: null,
  templates: [],
  operators: [],
};
const rowOf = (name: string) =>
  screen.getByRole('row', { name: new RegExp(name, 'u') }).textContent;

test('what packages cover is taken off the total', async () => {
  const covered = { count: 30, units: 30, amount: 84, toPay: 56 };
  await draw(<PriceTable estimate={{ ...ESTIMATE, covered }} />, { namespaces: ['send'] });
  await screen.findByText(i18n.t('send:coveredByPackages', { number: '30' }));
  expect(rowOf(i18n.t('send:toPay'))).toMatch(/56/);
});

test('without packages there is one total', async () => {
  await draw(<PriceTable estimate={ESTIMATE} />, { namespaces: ['send'] });
  await screen.findByText(i18n.t('send:total'));
  expect(screen.queryByText(i18n.t('send:toPay'))).toBeNull();
});

const amountText = () => document.querySelector('[data-amount]')!.textContent;

test('of calls that are charged by their length it says that they cost at most so much', async () => {
  await draw(<PriceTable estimate={{ ...ESTIMATE, byLength: true }} />, { namespaces: ['send'] });
  await screen.findByText(i18n.t('common:callsAtMost'));
  expect(amountText()).toMatch(new RegExp(i18n.t('common:upTo', { amount: '.*140' })));
});

test.each([{}, { byLength: true }])('with fallbacks it has both amounts: %o', async (length) => {
  await draw(<PriceTable estimate={{ ...ESTIMATE, max: 350, ...length }} />, {
    namespaces: ['send'],
  });
  await screen.findByText(i18n.t('send:rangeHint'));
  expect(amountText()).toMatch(/140.* – .*350/);
});
