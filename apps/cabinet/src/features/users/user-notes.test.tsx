import { PERMISSIONS, type User } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept, server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { UserNotes } from './user-notes.tsx';

const id = '01930000-0000-7000-8000-000000000103';
const user = { id, OwnerId: id, username: 'anna', level: 'me' } as User;
const permissions = Object.fromEntries(Object.keys(PERMISSIONS).map((name) => [name, 'manager']));
const session = { UserId: 'user', OwnerId: 'user', level: 'manager' };
const drawn = (of = user, settings: object = { permissions, session }) =>
  draw(<UserNotes user={of} />, { namespaces: ['users'], settings });
const t = (key: string, values = {}) => String(i18n.t(`users:notes.${key}`, values));

const NOTE = {
  id: '01930000-0000-7000-8000-000000000201',
  text: 'Pays late',
  Author: { id: 'user', name: 'Maria' },
  isOwn: true,
  mayRemove: true,
  createdAt: '2026-05-01T10:00:00.000Z',
  changedAt: null,
};
function answer(...notes: object[]) {
  const limits: (string | null)[] = [];
  server.use(
    http.get('*/api/users/:id/notes', ({ request }) => {
      const limit = new URL(request.url).searchParams.get('$limit');
      limits.push(limit);
      const data = notes.slice(0, Number(limit));
      return HttpResponse.json({ data, total: notes.length, limit: Number(limit), offset: 0 });
    }),
  );
  return limits;
}

test('a note is added, and one of another is neither changed nor removed', async () => {
  answer({ ...NOTE, isOwn: false, mayRemove: false });
  const bodies = accept('post', `/users/${id}/notes`, NOTE);
  const page = await drawn();
  await screen.findByText('Pays late');
  expect(screen.queryByRole('button', { name: t('edit') })).toBeNull();
  expect(screen.queryByRole('button', { name: t('remove') })).toBeNull();
  await page.user.click(screen.getByRole('button', { name: t('add') }));
  await page.user.type(await screen.findByRole('textbox', { name: new RegExp(t('text')) }), 'Call');
  await page.user.click(screen.getByRole('button', { name: t('save') }));
  await waitFor(() => expect(bodies).toEqual([{ text: 'Call' }]));
});

test('an own note is changed', async () => {
  answer(NOTE);
  const bodies = accept('put', `/users/${id}/notes/${NOTE.id}`, NOTE);
  const page = await drawn();
  await page.user.click(await screen.findByRole('button', { name: t('edit') }));
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', {
    name: new RegExp(t('text')),
  });
  expect(field.value).toBe('Pays late');
  await page.user.type(field, ' again');
  await page.user.click(screen.getByRole('button', { name: t('save') }));
  await waitFor(() => expect(bodies).toEqual([{ text: 'Pays late again' }]));
});

test('the last five are shown, then all', async () => {
  const notes = Array.from({ length: 7 }, (_, i) => ({
    ...NOTE,
    id: `${NOTE.id.slice(0, -1)}${i}`,
    text: `Note ${i}`,
  }));
  const limits = answer(...notes);
  const page = await drawn();
  await page.user.click(await screen.findByRole('button', { name: t('all', { count: 7 }) }));
  await screen.findByText('Note 6');
  expect(limits).toEqual(['5', '500']);
});

test('the account itself and members of a team have no notes', async () => {
  const limits = answer(NOTE);
  await drawn({ ...user, id: 'user', OwnerId: 'user' });
  expect(screen.queryByText(t('title'))).toBeNull();
  await drawn({ ...user, OwnerId: 'another' });
  expect(screen.queryByText(t('title'))).toBeNull();
  expect(limits).toEqual([]);
});
