import type { Contact } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { queryClient } from '../../../core/query.ts';
import { RemoveContacts } from './remove-contacts.tsx';

const contactsOf = (length: number) =>
  Array.from(
    { length },
    (_, i) => ({ id: `01930000-0000-7000-8000-${String(i).padStart(12, '0')}` }) as Contact,
  );

test('more contacts are removed than one call takes', async () => {
  const sizes: number[] = [];
  server.use(
    http.post<never, { ids: string[] }>('*/api/contacts/remove', async ({ request }) => {
      const { ids } = await request.json();
      sizes.push(ids.length);
      return HttpResponse.json({ removed: ids.length });
    }),
  );
  const contacts = contactsOf(1001);
  const done = vi.fn<() => void>();
  const { user } = await draw(
    <RemoveContacts contacts={contacts} onDone={done} onClose={() => {}} />,
    { namespaces: ['contactLists'] },
  );
  const name = i18n.t('contactLists:contact.removeMany', { count: 1001, number: '1,001' });
  await user.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(done).toHaveBeenCalledOnce());
  expect(sizes).toEqual([1000, 1]);
});

test('the list is refetched after a removal that ended half-way', async () => {
  let calls = 0;
  server.use(
    http.post('*/api/contacts/remove', () => {
      calls += 1;
      if (calls === 1) return HttpResponse.json({ removed: 1000 });
      return HttpResponse.json({ code: 'forbidden', message: 'Refused.' }, { status: 403 });
    }),
  );
  const list = keysOf('contacts').of('all');
  queryClient.setQueryData<object>(list, {});
  const { user } = await draw(
    <RemoveContacts contacts={contactsOf(1001)} onDone={() => {}} onClose={() => {}} />,
    { namespaces: ['contactLists'] },
  );
  const name = i18n.t('contactLists:contact.removeMany', { count: 1001, number: '1,001' });
  await user.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(queryClient.getQueryState(list)!.isInvalidated).toBe(true));
  expect(calls).toBe(2);
});
