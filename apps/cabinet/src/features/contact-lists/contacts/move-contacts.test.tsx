import type { ContactList } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import type { ChosenContacts } from './contacts.api.ts';
import { MoveContacts } from './move-contacts.tsx';

const idOf = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const list = (n: number, title: string): ContactList => ({
  id: idOf(n),
  OwnerId: idOf(9),
  title,
  type: 'regular',
  isActive: true,
  count: 0,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
});
const [HERE, THERE] = [list(1, 'Leads'), list(2, 'Customers')];
const AFTER = idOf(3);
const t = (key: string) => i18n.t(`contactLists:contact.${key}`);

async function drawn(chosen: ChosenContacts, mayMove = true) {
  const bodies: object[] = [];
  server.use(
    http.get('*/api/contactLists', () => HttpResponse.json({ data: [THERE, HERE], total: 2 })),
    http.post<never, object>('*/api/contacts/move', async ({ request }) => {
      const body = await request.json();
      bodies.push(body);
      const isFirst = 'where' in body && !('after' in body);
      return HttpResponse.json({ added: 5, existing: 1, next: isFirst ? AFTER : null });
    }),
  );
  const done = vi.fn<() => void>();
  const { user } = await draw(
    <MoveContacts
      chosen={chosen}
      count="10"
      from={HERE}
      mayMove={mayMove}
      onDone={done}
      onClose={() => {}}
    />,
    { namespaces: ['contactLists'] },
  );
  await user.click(await screen.findByRole('combobox', { name: new RegExp(t('moveTo')) }));
  await user.click(await screen.findByRole('option', { name: THERE.title }));
  // The list that they are in is none to choose.
  expect(screen.queryByRole('option', { name: HERE.title })).toBeNull();
  return {
    user,
    bodies,
    async submit(name: 'moveSubmit' | 'copySubmit') {
      await user.click(screen.getByRole('button', { name: t(name) }));
      await waitFor(() => expect(done).toHaveBeenCalledOnce());
    },
  };
}

test('all that a filter finds are moved step by step', async () => {
  const where = { ListId: HERE.id, search: 'Anna' };
  const { bodies, submit } = await drawn({ where });
  await submit('moveSubmit');
  const target = { to: THERE.id, copy: false };
  expect(bodies).toEqual([
    { where, ...target },
    { where, after: AFTER, ...target },
  ]);
});

test('more contacts are copied than one call takes', async () => {
  const ids = Array.from({ length: 1001 }, (_, n) => idOf(n));
  const { user, bodies, submit } = await drawn({ ids });
  await user.click(screen.getByRole('radio', { name: t('copySubmit') }));
  await submit('copySubmit');
  const target = { to: THERE.id, copy: true };
  expect(bodies).toEqual([
    { ids: ids.slice(0, 1000), ...target },
    { ids: ids.slice(1000), ...target },
  ]);
});

test('who may not delete contacts copies them', async () => {
  const { bodies, submit } = await drawn({ ids: [AFTER] }, false);
  expect(screen.queryByRole('radio')).toBeNull();
  await submit('copySubmit');
  expect(bodies).toEqual([{ ids: [AFTER], to: THERE.id, copy: true }]);
});
