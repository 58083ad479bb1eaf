import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import type { ChosenContacts } from './contacts.api.ts';
import { TagContacts } from './tag-contacts.tsx';

const ListId = '01930000-0000-7000-8000-000000000001';
const AFTER = '01930000-0000-7000-8000-000000000002';

async function drawn(tagged: ChosenContacts) {
  const bodies: object[] = [];
  server.use(
    http.post<never, object>('*/api/contacts/tags', async ({ request }) => {
      const body = await request.json();
      bodies.push(body);
      const isFirst = 'where' in body && !('after' in body);
      return HttpResponse.json({ changed: 5, full: 0, next: isFirst ? AFTER : null });
    }),
  );
  const done = vi.fn<() => void>();
  const { user } = await draw(
    <TagContacts tagged={tagged} count="10 rows" onDone={done} onClose={() => {}} />,
    { namespaces: ['contactLists'] },
  );
  const submit = await screen.findByRole('button', {
    name: i18n.t('contactLists:contact.tagSubmit'),
  });
  expect(submit.hasAttribute('disabled')).toBe(true);
  await user.type(
    screen.getByRole('combobox', { name: i18n.t('contactLists:contact.tagsAdded') }),
    'vip,',
  );
  await user.type(
    screen.getByRole('combobox', { name: i18n.t('contactLists:contact.tagsRemoved') }),
    'new,',
  );
  await user.click(submit);
  await waitFor(() => expect(done).toHaveBeenCalledOnce());
  return bodies;
}

const tags = { add: ['vip'], remove: ['new'] };

test('all that a filter finds are tagged step by step', async () => {
  const where = { ListId, search: 'Anna' };
  expect(await drawn({ where })).toEqual([
    { where, ...tags },
    { where, after: AFTER, ...tags },
  ]);
});

test('more contacts are tagged than one call takes', async () => {
  const ids = Array.from(
    { length: 1001 },
    (_, n) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  );
  expect(await drawn({ ids })).toEqual([
    { ids: ids.slice(0, 1000), ...tags },
    { ids: ids.slice(1000), ...tags },
  ]);
});
