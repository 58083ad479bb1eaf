import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { ExamplePage } from '../../../test/example-page.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../i18n/i18n.ts';

const OwnerId = '01930000-0000-7000-8000-000000000103';

test('a page of five fields checks, submits and leaves', async () => {
  server.use(
    http.get('*/api/users', () => HttpResponse.json({ data: [{ id: OwnerId, username: 'anna' }] })),
  );
  const bodies = accept('post', '/patterns');
  const { user, router } = await draw(<ExamplePage />, { namespaces: ['patterns'] });
  const submit = () => screen.getByRole('button', { name: i18n.t('patterns:createSubmit') });
  const title = () => screen.getByRole('textbox', { name: new RegExp(i18n.t('patterns:name')) });
  await user.type(title(), 'Codes');
  await user.click(submit());
  const owner = screen.getByRole('combobox', { name: i18n.t('patterns:owner') });
  await waitFor(() => expect(document.activeElement).toBe(owner));
  await user.click(owner);
  await user.click(await screen.findByRole('option', { name: 'anna' }));
  await user.type(
    screen.getByRole('textbox', { name: new RegExp(i18n.t('patterns:text')) }),
    'Code',
  );
  await user.click(submit());
  await waitFor(() => expect(router.state.location.pathname).toBe('/there'));
  expect(bodies).toEqual([
    { OwnerId, title: 'Codes', type: 'sms', text: 'Code', group: 'service' },
  ]);
});

test('a page of five fields has under 60 lines', () => {
  const file = join(import.meta.dirname, '../../../test/example-page.tsx');
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(60);
});
