import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../../test/draw.tsx';
import { server } from '../../../../test/server.ts';
import { i18n } from '../../../core/i18n/i18n.ts';
import { queryClient } from '../../../core/query.ts';
import { fileQuery } from '../../storage/file.api.ts';
import { AttachmentField } from './attachment-field.tsx';

async function drawFile(status: number) {
  server.use(http.get('*/api/storage/photo', () => HttpResponse.json({}, { status })));
  const field = { label: 'Image', type: 'viber', media: ['image'], field: 'image' } as const;
  await draw(<AttachmentField {...field} value="photo" onChange={() => {}} />, {
    namespaces: ['send', 'storage'],
    settings: { permissions: { 'storage.get': 'manager' } },
  });
}

test('a file that was deleted is said to be gone', async () => {
  await drawFile(404);
  expect(await screen.findByText(i18n.t('send:fileGone'))).toBeTruthy();
});

test('a file that only cannot be read now is not said to be gone', async () => {
  await drawFile(403);
  await waitFor(() =>
    expect(queryClient.getQueryState(fileQuery('photo').queryKey)?.status).toBe('error'),
  );
  expect(screen.queryByText(i18n.t('send:fileGone'))).toBeNull();
  expect(screen.queryByText('Image')).not.toBeNull();
});
