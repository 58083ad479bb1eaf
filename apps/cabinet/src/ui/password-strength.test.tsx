import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { frontend } from '../core/frontend.ts';
import { i18n } from '../core/i18n/i18n.ts';
import { PasswordStrength } from './password-strength.tsx';

test('says the rule for an empty password', async () => {
  await draw(<PasswordStrength password="" />);
  const hint = screen.getByText(i18n.t('common:password.hint', { ...frontend.password }));
  expect(hint.getAttribute('aria-live')).toBe('polite');
});

test.each([
  ['aaaaaa', 1],
  ['Heliograph7', 3],
])('says the strength of %j', async (password, strength) => {
  await draw(<PasswordStrength password={password} />);
  const text = screen.getByText(i18n.t(`common:password.strength.${strength}`));
  expect(text.getAttribute('aria-live')).toBe('polite');
  expect(document.querySelectorAll('[data-on]')).toHaveLength(strength);
});

test.each([
  ['short', 'too_small'],
  ['a password of 19 ch', 'too_big'],
  ['пароль', 'characters'],
])('says which rule %j breaks', async (password, rule) => {
  await draw(<PasswordStrength password={password} />);
  screen.getByText(i18n.t(`common:password.broken.${rule}`, { ...frontend.password }));
  expect(document.querySelectorAll('[data-on]')).toHaveLength(0);
});
