import type { StoredFile } from '@heliograph/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { FilePreview } from './file-preview.tsx';

const FILE = { id: 'photo', title: 'photo.png', type: 'image/png' } as StoredFile;

function tickets(expiresAt: (n: number) => Date): void {
  let given = 0;
  server.use(
    http.get('*/api/storage/photo/ticket', () => {
      given += 1;
      const url = `/api/storage/photo?ticket=${given}`;
      return HttpResponse.json({ url, expiresAt: expiresAt(given).toISOString() });
    }),
  );
}
const image = () => screen.findByRole<HTMLImageElement>('img', { name: 'photo.png' });

test('a picture whose address has expired is loaded by another one', async () => {
  tickets((n) => new Date(Date.now() + (n === 1 ? -1000 : 900_000)));
  await draw(<FilePreview file={FILE} />, { namespaces: ['storage'] });
  fireEvent.error(await image());
  await waitFor(async () => expect((await image()).src).toContain('ticket=2'));
});

test('a picture that cannot be shown says so', async () => {
  tickets(() => new Date(Date.now() + 900_000));
  await draw(<FilePreview file={FILE} />, { namespaces: ['storage'] });
  fireEvent.error(await image());
  expect(await screen.findByText(i18n.t('storage:preview.failed'))).toBeTruthy();
});
