import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { CardList } from './card-list.tsx';
import type { GridColumn } from './grid-column.ts';

const column = (id: string, over: Partial<GridColumn<never>>): GridColumn<never> => ({
  id,
  header: id,
  cell: () => '',
  ...over,
});

test.each([
  [false, 3],
  [true, 2],
])('a card that is loading has room for what most rows have: rare %s', async (isRare, lines) => {
  const columns = [
    column('action', { card: 'title' }),
    column('actor', { card: 'note' }),
    column('changes', { card: 'body', isRare }),
  ];
  const props = {
    caption: 'Log',
    columns,
    list: { loading: true },
    control: { state: { size: 1 } },
  };
  await draw(<CardList {...(props as unknown as Parameters<typeof CardList>[0])} />);
  const [card] = screen.getByRole('group', { name: 'Log' }).children;
  expect(card!.children).toHaveLength(lines);
});

test('a card opens by a tap anywhere, but not on what acts by itself', async () => {
  const act = vi.fn<() => void>();
  const props = {
    caption: 'Tasks',
    columns: [
      column('title', { card: 'title', cell: (row: { title: string }) => row.title } as never),
      column('cost', { cell: () => '12.00' }),
    ],
    list: { rows: [{ id: '1', title: 'Sale' }] },
    control: { state: { size: 1 }, viewSettings: { density: 'normal' } },
    highlighted: new Set(),
    rowTo: () => '/there',
    actions: () => <button onClick={act}>Pause</button>,
  };
  const { router, user } = await draw(
    <CardList {...(props as unknown as Parameters<typeof CardList>[0])} />,
  );
  await user.click(screen.getByRole('button', { name: 'Pause' }));
  expect(act).toHaveBeenCalledOnce();
  expect(router.state.location.pathname).toBe('/here');
  await user.click(screen.getByText('12.00'));
  expect(router.state.location.pathname).toBe('/there');
});
