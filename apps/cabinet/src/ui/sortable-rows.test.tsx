import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import { SortableRows } from './sortable-rows.tsx';

const ROW_HEIGHT = 40;

function Rows() {
  const [rows, setRows] = useState(['Anna', 'Bertha', 'Carla']);
  return (
    <SortableRows rows={rows} keyOf={(row) => row} nameOf={(row) => row} onChange={setRows}>
      {(row, _, handle) => (
        <>
          {handle}
          {row}
        </>
      )}
    </SortableRows>
  );
}
const order = () => screen.getAllByRole('listitem').map((row) => row.textContent);
const handle = (name: string) =>
  screen.getByRole('button', { name: i18n.t('common:sortable.handle', { name }) });

/** The simulated document has no layout: rows lie one below the other. */
async function drawRows() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const at = [...(this.parentElement?.children ?? [])].indexOf(this);
    return new DOMRect(0, at * ROW_HEIGHT, 100, ROW_HEIGHT);
  });
  return draw(<Rows />);
}

test('moves a row by the arrow keys, keeps the focus on it and announces its place', async () => {
  const { user } = await drawRows();
  handle('Anna').focus();
  await user.keyboard('{ArrowDown}');
  expect(order()).toEqual(['Bertha', 'Anna', 'Carla']);
  expect(document.activeElement).toBe(handle('Anna'));
  const place = (number: number) =>
    i18n.t('common:sortable.moved', { name: 'Anna', number, count: 3 });
  expect(screen.getByRole('status').textContent).toBe(place(2));
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(order()).toEqual(['Bertha', 'Carla', 'Anna']);
  expect(screen.getByRole('status').textContent).toBe(place(3));
});

test('moves a row to where it is dragged', async () => {
  await drawRows();
  fireEvent.pointerDown(handle('Anna'), { button: 0, clientY: 20 });
  fireEvent.pointerMove(window, { clientY: 50 });
  expect(order()).toEqual(['Anna', 'Bertha', 'Carla']);
  fireEvent.pointerMove(window, { clientY: 110 });
  expect(order()).toEqual(['Bertha', 'Carla', 'Anna']);
  fireEvent.pointerUp(window);
  fireEvent.pointerMove(window, { clientY: 10 });
  expect(order()).toEqual(['Bertha', 'Carla', 'Anna']);
});

test('Escape ends the dragging and restores the order', async () => {
  await drawRows();
  fireEvent.pointerDown(handle('Carla'), { button: 0, clientY: 100 });
  fireEvent.pointerMove(window, { clientY: 10 });
  expect(order()).toEqual(['Carla', 'Anna', 'Bertha']);
  fireEvent.keyDown(window, { key: 'Escape' });
  expect(order()).toEqual(['Anna', 'Bertha', 'Carla']);
  fireEvent.pointerMove(window, { clientY: 10 });
  expect(order()).toEqual(['Anna', 'Bertha', 'Carla']);
});

test('a second finger takes over, and the end of its drag is the end', async () => {
  await drawRows();
  fireEvent.pointerDown(handle('Anna'), { button: 0, clientY: 20, pointerId: 1 });
  fireEvent.pointerDown(handle('Carla'), { button: 0, clientY: 100, pointerId: 2 });
  fireEvent.pointerMove(window, { clientY: 110, pointerId: 1 });
  expect(order()).toEqual(['Anna', 'Bertha', 'Carla']);
  fireEvent.pointerMove(window, { clientY: 10, pointerId: 2 });
  expect(order()).toEqual(['Carla', 'Anna', 'Bertha']);
  fireEvent.pointerUp(window, { pointerId: 2 });
  fireEvent.pointerMove(window, { clientY: 110, pointerId: 1 });
  expect(order()).toEqual(['Carla', 'Anna', 'Bertha']);
});

test('rows that are gone are not listened for', async () => {
  const { router } = await drawRows();
  const removed = new Set<string>();
  const listen = vi.spyOn(window, 'addEventListener').mockImplementation((type, _, options) => {
    const { signal } = options as AddEventListenerOptions;
    signal!.addEventListener('abort', () => removed.add(type));
  });
  fireEvent.pointerDown(handle('Anna'), { button: 0, clientY: 20 });
  listen.mockRestore();
  await router.navigate('/there');
  await screen.findByText('There');
  // React runs the effects of a page that is gone after it has drawn the next one.
  const all = new Set(['pointermove', 'pointerup', 'pointercancel', 'keydown']);
  await waitFor(() => expect(removed).toEqual(all));
});
