import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
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
