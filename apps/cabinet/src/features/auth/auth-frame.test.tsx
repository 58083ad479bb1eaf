import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { frontend } from '../../core/frontend.ts';
import { changeLocale, i18n } from '../../core/i18n/i18n.ts';
import { AuthFrame } from './auth-frame.tsx';

const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'));

test.each([
  ['login', false, ['/login', '/documentation']],
  ['registration', true, ['/registration', '/documentation']],
  ['registration', false, ['/documentation']],
] as const)(
  'the switch to %s, with registration open: %j, leads to %j',
  async (other, isOpen, expected) => {
    const { registration } = frontend;
    onTestFinished(() => void (frontend.registration = registration));
    frontend.registration = isOpen;
    await draw(
      <AuthFrame title="Title" other={other}>
        Form
      </AuthFrame>,
      { namespaces: ['auth'] },
    );
    expect(links().slice(0, expected.length)).toEqual(expected);
    expect(links().filter((to) => /login|registration/.test(to!))).toHaveLength(
      expected.length - 1,
    );
  },
);

test('the language is chosen in the footer', async () => {
  onTestFinished(() => changeLocale('en'));
  const { user } = await draw(<AuthFrame title="Title">Form</AuthFrame>, { namespaces: ['auth'] });
  const language = screen.getByRole('combobox', { name: i18n.t('language') });
  expect(language).toHaveProperty('value', 'en');
  await user.selectOptions(language, 'de');
  await waitFor(() => expect(i18n.language).toBe('de'));
  await screen.findByText('Dokumentation');
});
