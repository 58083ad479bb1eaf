import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { channels } from '@heliograph/contract';
import { draw } from '../../test/draw.tsx';
import { server } from '../../test/server.ts';
import { api } from '../core/api.ts';
import { i18n } from '../core/i18n/i18n.ts';
import { useMutationOnce } from '../core/use-mutation-once.ts';
import { useRemoval, type Removal } from './use-removal.tsx';

interface Boat {
  id: string;
  name: string;
  isAtSea?: boolean;
  isSunk?: boolean;
}

const REMOVAL: Removal<Boat> = {
  can: ['channels.remove', 'managerUp'],
  of: ({ isSunk }) => !isSunk,
  useChange: () =>
    useMutationOnce({
      mutationFn: (channel: string) => api(channels.remove, { params: { channel } }),
    }),
  words: (_, { name }) => ({
    question: `Sell ${name}?`,
    action: `Sell ${name}`,
    text: 'It does not come back.',
  }),
  button: (_, { name, isAtSea }) => ({
    label: isAtSea ? `Sell ${name}, which is at sea` : `Sell ${name}`,
    disabled: isAtSea,
  }),
};

const BOATS: Boat[] = [
  { id: 'anna', name: 'Anna' },
  { id: 'berta', name: 'Berta', isAtSea: true },
  { id: 'clara', name: 'Clara', isSunk: true },
];

function Boats() {
  const [button, dialog] = useRemoval(REMOVAL);
  return (
    <>
      {BOATS.map((boat) => (
        <div key={boat.id}>{button?.(boat)}</div>
      ))}
      {dialog}
    </>
  );
}

const buttons = () => screen.queryAllByRole('button').map((one) => one.getAttribute('aria-label'));
const permitted = { permissions: { 'channels.remove': 'manager' } };

test('rows have the button that their removal allows, and a question before it', async () => {
  const removed: string[] = [];
  server.use(
    http.delete('*/api/channels/:channel', ({ params }) => {
      removed.push(String(params.channel));
      return HttpResponse.json({ id: params.channel });
    }),
  );
  const { user } = await draw(<Boats />, { settings: permitted });
  expect(buttons()).toEqual(['Sell Anna', 'Sell Berta, which is at sea']);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /at sea/ }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Sell Anna' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sell Anna?' });
  expect(dialog.textContent).toContain('It does not come back.');
  await user.click(screen.getByRole('button', { name: i18n.t('cancel') }));
  expect(removed).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Sell Anna' }));
  await screen.findByRole('dialog', { name: 'Sell Anna?' });
  await user.click(screen.getAllByRole('button', { name: 'Sell Anna' }).at(-1)!);
  await waitFor(() => expect(removed).toEqual(['anna']));
});

test('without the permission no row has it', async () => {
  await draw(<Boats />);
  expect(buttons()).toEqual([]);
});
