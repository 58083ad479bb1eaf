import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { i18n } from '../../../core/i18n/i18n.ts';
import { keysOf } from '../../../core/query-keys.ts';
import { queryClient } from '../../../core/query.ts';
import { UtmDialog } from './utm-dialog.tsx';

test('a submit with wrong fields moves the focus to the first of them', async () => {
  const onInsert = vi.fn<(link: string) => void>();
  const { user } = await draw(<UtmDialog onClose={() => {}} onInsert={onInsert} />, {
    namespaces: ['send'],
    settings: { frontend: { brand: 'main' } },
  });
  const field = (name: string) =>
    screen.getByRole('textbox', { name: new RegExp(`^${i18n.t(`send:utm.${name}`)}`) });
  const insert = screen.getByRole('button', { name: i18n.t('send:utm.insert') });
  await user.click(insert);
  await waitFor(() => expect(document.activeElement).toBe(field('url')));
  await user.type(field('url'), 'tea.shop/sale');
  await user.type(field('source'), 'autumn');
  await user.click(insert);
  expect(document.activeElement).toBe(field('campaign'));
  expect(onInsert).not.toHaveBeenCalled();
});

test('visits by programs stand beside the clicks of a link', async () => {
  const link = (id: string, previews: number | null) => ({
    id,
    url: `https://tea.shop/${id}`,
    shortUrl: `https://s.example/${id}`,
    clicks: 7,
    previews,
    clickedAt: null,
    OwnerId: 'owner',
    createdAt: '2026-11-23T09:15:00.000Z',
  });
  const data = [link('seen', 3), link('unseen', 0)];
  queryClient.setQueryData(keysOf('links').of('recent'), {
    data,
    total: 2,
    limit: 5,
    offset: 0,
  } as never);
  const { user } = await draw(<UtmDialog onClose={() => {}} onInsert={() => {}} />, {
    namespaces: ['send'],
    settings: {
      frontend: { brand: 'main' },
      permissions: { 'links.create': 'me', 'links.get': 'me' },
    },
  });
  await user.click(screen.getByText(i18n.t('send:utm.short')));
  const rows = await screen.findAllByRole('listitem');
  const texts = rows.map(({ textContent }) => textContent);
  const visits = i18n.t('send:utm.previews', { count: 3, number: '3' });
  expect(texts[0]).toContain(visits);
  expect(texts[1]).not.toContain(i18n.t('send:utm.previews', { count: 0, number: '0' }));
});
