import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { OptimisticSwitch } from './optimistic-switch.tsx';

function Toggle({ call }: { call: (checked: boolean) => Promise<unknown> }) {
  const [checked, setChecked] = useState(false);
  return (
    <OptimisticSwitch
      label="Notify me"
      checked={checked}
      save={(next) => call(next).then(() => setChecked(next))}
    />
  );
}
const toggle = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Notify me' });

test('switches at once, and stays when it is saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { user } = await draw(<Toggle call={() => promise} />);
  await user.click(toggle());
  expect(toggle().checked).toBe(true);
  resolve();
  await waitFor(() => expect(toggle().checked).toBe(true));
  expect(screen.getByRole('alert').textContent).toBe('');
});

test('switches back with a message when it is refused', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const { user } = await draw(<Toggle call={() => promise} />);
  await user.click(toggle());
  expect(toggle().checked).toBe(true);
  reject(new Error('down'));
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(i18n.t('errors:unknown')));
  expect(toggle().checked).toBe(false);
});

test('saves the last of several clicks, one call at a time', async () => {
  const first = Promise.withResolvers<void>();
  const call = vi.fn<(checked: boolean) => Promise<void>>(() => Promise.resolve());
  call.mockImplementationOnce(() => first.promise);
  const { user } = await draw(<Toggle call={call} />);
  await user.click(toggle());
  await user.click(toggle());
  await user.click(toggle());
  await user.click(toggle());
  expect(toggle().checked).toBe(false);
  expect(call.mock.calls).toEqual([[true]]);
  first.resolve();
  await waitFor(() => expect(call.mock.calls).toEqual([[true], [false]]));
  await waitFor(() => expect(toggle().checked).toBe(false));
});
