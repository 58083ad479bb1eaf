import type { StoredFile } from '@heliograph/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { ContentPreview } from './content-preview.tsx';
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

test('another sheet can be chosen where one cannot be read', async () => {
  const table = {
    kind: 'table',
    sheets: ['First', 'Second'],
    rows: [['Anna']],
    isTruncated: false,
  };
  server.use(
    http.get('*/api/storage/table/preview', ({ request }) => {
      const sheet = new URL(request.url).searchParams.get('sheet') ?? 'First';
      if (sheet === 'First') return HttpResponse.json({ ...table, sheet });
      return HttpResponse.json({ code: 'validation', message: 'Broken.' }, { status: 422 });
    }),
  );
  const file = { id: 'table', title: 'table.xlsx' } as StoredFile;
  const { user } = await draw(<ContentPreview file={file} />, { namespaces: ['storage'] });
  await screen.findByText('Anna');
  const choice = () => screen.getByLabelText<HTMLSelectElement>(i18n.t('storage:preview.sheet'));
  await user.selectOptions(choice(), 'Second');
  await screen.findByText(new RegExp(i18n.t('storage:preview.failed')));
  expect(choice().value).toBe('Second');
  await user.selectOptions(choice(), 'First');
  await screen.findByText('Anna');
});
