import type { StoredFile } from '@heliograph/contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { accept } from '../../../test/server.ts';
import { setPersonal } from '../../core/personal/mirror.ts';
import { ExpiryDialog } from './expiry-dialog.tsx';

const FILE = { id: 'file', title: 'photo.png', expiredAt: null } as StoredFile;
const NAMESPACES = ['common', 'errors', 'storage'];

async function open(expiredAt: string | null) {
  setPersonal('timeZone', 'Asia/Tokyo');
  const bodies = accept('put', '/storage/file', { ...FILE, expiredAt });
  const { user } = await draw(<ExpiryDialog row={{ ...FILE, expiredAt }} onClose={() => {}} />, {
    namespaces: NAMESPACES,
  });
  return { bodies, user, field: await screen.findByLabelText('Expires') };
}

test('a time is chosen on the clock of the person, with a countdown below an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:00:00Z') });
  try {
    const { bodies, user, field } = await open(null);
    fireEvent.change(field, { target: { value: '2026-11-22T20:59' } });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Choose a time in the future.');
    expect(bodies).toEqual([]);
    fireEvent.change(field, { target: { value: '2026-11-22T21:30' } });
    screen.getByText(/30 min/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await expect.poll(() => bodies).toEqual([{ expiredAt: '2026-11-22T12:30:00.000Z' }]);
  } finally {
    vi.useRealTimers();
  }
});

test('an emptied field keeps the file', async () => {
  const { bodies, user, field } = await open('2099-11-22T12:30:00.000Z');
  fireEvent.change(field, { target: { value: '' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => bodies).toEqual([{ expiredAt: null }]);
});

test('a year of five digits is refused in words', async () => {
  const { bodies, user, field } = await open(null);
  // Browsers take it where a field has no latest time; the simulated one does not, so the field is a plain one here.
  (field as HTMLInputElement).type = 'text';
  fireEvent.change(field, { target: { value: '20266-11-22T20:59' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Choose a time in the future.');
  expect(bodies).toEqual([]);
});
