import { useQuery } from '@tanstack/react-query';
import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { server } from '../../../test/server.ts';
import { queryClient } from '../../core/query.ts';
import { approvedQuery, useOnlySendername } from './sendernames.api.ts';

const queryOf = (type: string) => approvedQuery(type, 'owner');
const isAsked = (type: string) => queryClient.isFetching({ queryKey: queryOf(type).queryKey }) > 0;

function Sender({ type }: { type: string }) {
  const [value, setValue] = useState('');
  useOnlySendername(type, value, setValue);
  const { data } = useQuery({ ...queryOf(type), enabled: false });
  const [isDone, setDone] = useState(false);
  // Runs after the hook's own effect, so both show at once.
  useEffect(() => setDone(data !== undefined), [data]);
  return <output>{isDone && (value || 'none')}</output>;
}

const drawn = (type: string) =>
  draw(<Sender type={type} />, { settings: { permissions: { 'sendernames.get': 'me' } } });

/** What is chosen of these names once they are read. */
async function chosen(type: string, names: { name: string; isActive: boolean }[]): Promise<string> {
  server.use(
    http.get('*/api/sendernames', () => HttpResponse.json({ data: names, total: names.length })),
  );
  await drawn(type);
  expect(isAsked(type)).toBe(true);
  const shown = () => document.querySelector('output')!.textContent;
  await expect.poll(shown).not.toBe('');
  return shown();
}

const tea = { name: 'TEA', isActive: true };

test('the only name that is approved and active is chosen, without a field for it', async () => {
  expect(await chosen('sms', [tea, { name: 'OLD', isActive: false }])).toBe('TEA');
});

test.each([
  ['sms', [tea, { name: 'COFFEE', isActive: true }]],
  ['sms', []],
])('none is chosen for %s of %j', async (type, names) => {
  expect(await chosen(type, names)).toBe('none');
});

test('names are not asked for where the sender is a phone', async () => {
  await drawn('wapi');
  expect(isAsked('wapi')).toBe(false);
});
