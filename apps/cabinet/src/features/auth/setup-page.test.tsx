import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, onTestFinished, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { frontend } from '../../core/frontend.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { SetupPage } from './setup-page.tsx';

async function drawPage(isOpen: boolean) {
  frontend.setup = isOpen;
  onTestFinished(() => void (frontend.setup = false));
  return draw(<SetupPage />, { namespaces: ['auth'], path: '/setup', at: '/setup#0a1b2-3c4d5' });
}

test('the code of the link is filled in and leaves the address; one that is refused is marked at its field', async () => {
  let sent: unknown;
  server.use(
    http.post('*/api/setup', async ({ request }) => {
      sent = await request.json();
      const data = [{ field: 'code', message: 'No.', type: 'code_wrong' }];
      return HttpResponse.json({ error: 422, code: 'validation', data }, { status: 422 });
    }),
  );
  const { user, router } = await drawPage(true);
  const field = (name: string) => screen.getByLabelText(new RegExp(`^${i18n.t(name)}`));
  expect(field('auth:setup.code')).toHaveProperty('value', '0a1b2-3c4d5');
  expect(router.state.location.hash).toBe('');
  const submit = screen.getByRole('button', { name: i18n.t('auth:setup.submit') });
  await user.click(submit);
  expect(screen.getAllByText(i18n.t('errors:rule.required'))).toHaveLength(4);
  expect(sent).toBeUndefined();

  await user.type(field('auth:registration.username'), 'captain');
  await user.type(field('auth:registration.password'), 'tea & 3 cups');
  await user.type(field('auth:registration.confirm'), 'tea & 3 cups');
  await user.type(field('auth:registration.email'), 'captain@beacon.example');
  await user.click(submit);
  await screen.findByText(i18n.t('auth:setup.wrongCode'));
  expect(sent).toEqual({
    code: '0a1b2-3c4d5',
    username: 'captain',
    password: 'tea & 3 cups',
    email: 'captain@beacon.example',
  });
});

test('an installation that has an administrator is not set up again', async () => {
  await drawPage(false);
  screen.getByText(i18n.t('auth:setup.done'));
  expect(screen.queryByRole('button', { name: i18n.t('auth:setup.submit') })).toBeNull();
});
