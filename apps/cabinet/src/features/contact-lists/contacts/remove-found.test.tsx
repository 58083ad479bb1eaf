import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { RemoveFound } from './remove-found.tsx';

const ListId = '01930000-0000-7000-8000-000000000001';
const AFTER = '01930000-0000-7000-8000-000000000002';

test('all that a filter finds are removed step by step, after a question that names their number', async () => {
  const bodies: object[] = [];
  server.use(
    http.post<never, object>('*/api/contacts/remove', async ({ request }) => {
      const body = await request.json();
      bodies.push(body);
      return HttpResponse.json({ removed: 5, next: 'after' in body ? null : AFTER });
    }),
  );
  const close = vi.fn<() => void>();
  const where = { ListId, tag: 'gone' };
  const { user } = await draw(<RemoveFound where={where} count="10" onClose={close} />, {
    namespaces: ['contactLists'],
  });
  await screen.findByText(i18n.t('contactLists:contact.removeFoundQuestion', { count: '10' }));
  expect(bodies).toEqual([]);
  await user.click(
    screen.getByRole('button', { name: i18n.t('contactLists:contact.removeFound') }),
  );
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(bodies).toEqual([{ where }, { where, after: AFTER }]);
});
