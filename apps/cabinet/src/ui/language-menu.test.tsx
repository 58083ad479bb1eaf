import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { LanguageMenu } from './language-menu.tsx';

test('the current language is disabled, and the menu stays open when it is pressed', async () => {
  const { user } = await draw(<LanguageMenu />);
  const current = i18n.language;
  await user.click(screen.getByRole('button', { name: i18n.t('language') }));
  const items = await screen.findAllByRole('menuitem');
  const disabled = items.filter((item) => item.getAttribute('aria-disabled') === 'true');
  expect(disabled.map((item) => item.lang)).toEqual([current]);
  await user.click(disabled[0]!);
  expect(screen.getAllByRole('menuitem')).toHaveLength(items.length);
  expect(i18n.language).toBe(current);
});
