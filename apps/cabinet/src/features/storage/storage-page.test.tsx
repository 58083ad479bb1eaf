import type { StoredFile } from '@heliograph/contract';
import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { StoragePage } from './storage-page.tsx';

const file = (id: string, locks: number) =>
  ({
    id,
    title: `${id}.png`,
    type: 'image/png',
    size: 10,
    locks,
    isPublic: false,
    expiredAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  }) as StoredFile;

test('a file in use cannot be deleted, and the button says why', async () => {
  server.use(
    http.get('*/api/storage', () =>
      HttpResponse.json({
        data: [file('used', 1), file('free', 0)],
        total: 2,
        limit: 20,
        offset: 0,
      }),
    ),
    http.get('*/api/storage/usage', () => HttpResponse.json({ used: 20, limit: 1000 })),
  );
  const { user } = await draw(<StoragePage />, {
    namespaces: ['storage'],
    settings: { storage: { maxSize: 1000 }, permissions: { 'storage.remove': 'manager' } },
  });
  const remove = (title: string) =>
    screen.findByRole('button', { name: i18n.t('storage:remove', { title }) });
  const used = await remove('used.png');
  expect(used.getAttribute('aria-disabled')).toBe('true');
  expect(used.getAttribute('aria-description')).toBe(i18n.t('storage:lockedHint'));
  await user.click(used);
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(await remove('free.png'));
  await screen.findByRole('dialog', { name: i18n.t('storage:removeQuestion') });
});
