import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { i18n } from '../../core/i18n/i18n.ts';
import { BalanceCardsSection } from './balance-cards-section.tsx';

test.each([
  [true, 0],
  [false, -1],
])('where the screen is narrow (%j) the keyboard scrolls the cards', async (matches, tabIndex) => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...matchMedia(''), matches });
  await draw(<BalanceCardsSection />, {
    namespaces: ['shell'],
    settings: { permissions: { 'billings.find': 'me' } },
  });
  const cards = screen.getByRole('region', { name: i18n.t('shell:balance.label') });
  expect(cards.tabIndex).toBe(tabIndex);
});
