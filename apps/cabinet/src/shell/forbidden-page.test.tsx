import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { changeLocale } from '../core/i18n/i18n.ts';
import { ForbiddenPage } from './forbidden-page.tsx';

test('names the permission that is missing in words, and nothing that is no permission', async () => {
  const { router } = await draw(<ForbiddenPage />, { namespaces: ['shell', 'tokens'] });
  await router.navigate('/here?need=sendingsIncoming.get');
  expect(await screen.findByText('Incoming messages: View')).toBeTruthy();
  expect(document.body.textContent).not.toContain('sendingsIncoming');
  await router.navigate('/here?need=toString');
  await expect.poll(() => document.body.textContent).not.toContain('View');
  expect(document.body.textContent).not.toContain('toString');
});

test('has a no-break space before the colon in French', async () => {
  const { router } = await draw(<ForbiddenPage />, { namespaces: ['shell', 'tokens'] });
  await changeLocale('fr');
  await router.navigate('/here?need=secret.loginAs');
  const permission = await screen.findByText(/Se connecter à la place de l’utilisateur/);
  expect(permission.textContent).toContain('\u00a0: ');
  await changeLocale('en');
});
