import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { useOnlySendername } from './sendernames.api.ts';

function Sender({ type }: { type: string }) {
  const [value, setValue] = useState('');
  useOnlySendername(type, value, setValue);
  return <output>{value || 'none'}</output>;
}

/** What is chosen of these names once they are read. */
async function chosen(type: string, names: { name: string; isActive: boolean }[]): Promise<string> {
  let isRead = false;
  server.use(
    http.get('*/api/sendernames', () => {
      isRead = true;
      return HttpResponse.json({ data: names, total: names.length });
    }),
  );
  await draw(<Sender type={type} />, { settings: { permissions: { 'sendernames.get': 'me' } } });
  await expect.poll(() => isRead).toBe(type !== 'wapi');
  await new Promise((resolve) => setTimeout(resolve, 50));
  return document.querySelector('output')!.textContent;
}

const tea = { name: 'TEA', isActive: true };

test('the only name that is approved and active is chosen, without a field for it', async () => {
  expect(await chosen('sms', [tea, { name: 'OLD', isActive: false }])).toBe('TEA');
});

test.each([
  ['sms', [tea, { name: 'COFFEE', isActive: true }]],
  ['sms', []],
  ['wapi', [tea]],
])('none is chosen for %s of %j', async (type, names) => {
  expect(await chosen(type, names)).toBe('none');
});
