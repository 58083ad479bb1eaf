import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
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
