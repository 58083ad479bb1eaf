import { queryOptions } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { RowDialog } from './row-dialog.tsx';

const teaQuery = (id: string) =>
  queryOptions({
    queryKey: ['settings', 'teas', id],
    queryFn: () =>
      id === 'keemun' ? Promise.resolve({ name: 'Keemun' }) : Promise.reject(new Error('No tea')),
    retry: false,
  });

async function drawTeas(mayCreate = true) {
  const { router, user } = await draw(
    <RowDialog
      query={teaQuery}
      mayCreate={mayCreate}
      size={500}
      createTitle="A new tea"
      title={(row) => row?.name ?? 'Tea'}
      failed="The tea could not be read"
    >
      {(row, onClose) => <button onClick={onClose}>{row ? 'Change' : 'Create'}</button>}
    </RowDialog>,
  );
  const go = (search: string) => act(() => router.navigate(`/here${search}`));
  return { router, user, go };
}

test('the URL opens a new row or a stored one, and closing takes it back', async () => {
  const { router, user, go } = await drawTeas();
  expect(screen.queryByRole('dialog')).toBeNull();
  for (const [search, name, button] of [
    ['?create=true', 'A new tea', 'Create'],
    ['?id=keemun', 'Keemun', 'Change'],
  ] as const) {
    await go(`${search}&page=2`);
    await screen.findByRole('dialog', { name });
    await user.click(screen.getByRole('button', { name: button }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toBe('?page=2');
  }
});

test('a row that cannot be read is said, and none is made without the permission', async () => {
  const { go } = await drawTeas(false);
  await go('?create=true');
  expect(screen.queryByRole('dialog')).toBeNull();
  await go('?id=assam');
  await screen.findByText('The tea could not be read');
});

test('what was typed for one row is not for another', async () => {
  const { router, user } = await draw(
    <RowDialog
      query={(id) =>
        queryOptions({ queryKey: ['settings', 'cups', id], queryFn: () => Promise.resolve({ id }) })
      }
      mayCreate={false}
      size={500}
      createTitle="A new cup"
      title={(row) => `Cup ${row?.id}`}
      failed="The cup could not be read"
    >
      {() => <input aria-label="Note" />}
    </RowDialog>,
  );
  const go = async (id: string) => {
    await act(() => router.navigate(`/here?id=${id}`));
    await screen.findByRole('dialog', { name: `Cup ${id}` });
    return screen.findByLabelText<HTMLInputElement>('Note');
  };
  await go('blue');
  await user.type(await go('red'), 'chipped');
  expect((await go('blue')).value).toBe('');
});
