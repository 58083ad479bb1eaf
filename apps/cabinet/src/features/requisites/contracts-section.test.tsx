import type { Contract } from '@heliograph/contract';
import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { ContractsSection } from './contracts-section.tsx';

const title = 'Договор 1F0A-33C2';
let stored: Contract[];
beforeEach(() => {
  queryClient.clear();
  stored = [
    {
      id: '01930000-0000-7000-8000-000000000901',
      title,
      tags: ['2026'],
      RequisiteId: 'requisite',
      CompanyId: 'company',
      FileId: 'file',
      OwnerId: 'owner',
      createdAt: '2026-11-20T10:00:00.000Z',
      updatedAt: '2026-11-21T10:00:00.000Z',
    },
  ];
  server.use(
    http.get('*/api/contracts', ({ request }) => {
      const wanted = new URL(request.url).searchParams.get('RequisiteId');
      const data = stored.filter(({ RequisiteId }) => RequisiteId === wanted);
      return HttpResponse.json({ data, total: data.length, limit: 100, offset: 0 });
    }),
    http.delete('*/api/contracts/:id', ({ params }) => {
      stored = [];
      return HttpResponse.json({ id: params.id });
    }),
    http.get('*/api/storage/file/ticket', () =>
      HttpResponse.json({ url: '#', expiresAt: '2026-11-21T10:00:00.000Z' }),
    ),
  );
});

const shown = (permissions: Record<string, string>) =>
  draw(<ContractsSection RequisiteId="requisite" />, {
    namespaces: ['requisites'],
    settings: { permissions },
  });
const removal = () =>
  screen.queryByRole('button', { name: i18n.t('requisites:contracts.remove', { title }) });

test('a contract is downloaded and deleted after a question', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const { user } = await shown({ 'contracts.get': 'me', 'contracts.remove': 'me' });
  const name = i18n.t('requisites:contracts.download', { title });
  await user.click(await screen.findByRole('button', { name }));
  await waitFor(() => expect(click).toHaveBeenCalledTimes(1));
  click.mockRestore();
  expect(screen.getByText('2026')).toBeTruthy();
  await user.click(removal()!);
  const question = i18n.t('requisites:contracts.removeQuestion', { title });
  await screen.findByRole('dialog', { name: question });
  const action = i18n.t('requisites:contracts.remove', { title });
  const buttons = await screen.findAllByRole('button', { name: action });
  await user.click(buttons.at(-1)!);
  await waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());
  expect(stored).toEqual([]);
});

test('without the right to remove contracts they are only read', async () => {
  await shown({ 'contracts.get': 'me' });
  await screen.findByText(title);
  expect(removal()).toBeNull();
});
