import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { SecretInput } from './secret-input.tsx';

const input = () => screen.getByLabelText<HTMLInputElement>(/^Secret/);

test('shows its text on request, by keyboard too', async () => {
  const { user } = await draw(<SecretInput label="Secret" />);
  expect(input().type).toBe('password');
  await user.tab();
  await user.tab();
  expect(document.activeElement?.getAttribute('aria-label')).toBe(i18n.t('common:password.show'));
  await user.keyboard('{Enter}');
  expect(input().type).toBe('text');
});

test('announces Caps Lock', async () => {
  await draw(<SecretInput label="Secret" />);
  fireEvent.keyDown(input(), { key: 'a', modifierCapsLock: true });
  const warning = screen.getByText(i18n.t('common:password.capsLock'));
  expect(warning.getAttribute('aria-live')).toBe('polite');
  fireEvent.keyUp(input(), { key: 'a' });
  expect(screen.queryByText(i18n.t('common:password.capsLock'))).toBeNull();
});
