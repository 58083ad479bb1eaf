import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { i18n } from '../core/i18n/i18n.ts';
import type { OptionSource } from './async-options.ts';
import { AsyncSelect } from './async-select.tsx';

interface Boat {
  id: string;
  name: string;
}
const BOATS: Boat[] = [
  { id: '1', name: 'Anna' },
  { id: '2', name: 'Bertha' },
];

function sourceOf(find: OptionSource<Boat>['find']): OptionSource<Boat> {
  return {
    noun: 'settings',
    params: ['boats'],
    find,
    get: (id) => Promise.resolve({ id, name: `Boat ${id}` }),
    toOption: ({ id, name }) => ({ value: id, label: name }),
  };
}

function Field({ source, initial }: { source: OptionSource<Boat>; initial: string | null }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <AsyncSelect label="Boat" source={source} value={value} onChange={setValue} />
      <output data-testid="value">{value}</output>
    </>
  );
}

async function drawField({
  find = vi.fn<OptionSource<Boat>['find']>(({ search }) =>
    Promise.resolve({ data: BOATS.filter(({ name }) => name.includes(search ?? '')) }),
  ),
  initial = null as string | null,
} = {}) {
  const { user } = await draw(<Field source={sourceOf(find)} initial={initial} />);
  return { user, find, input: screen.getByRole<HTMLInputElement>('combobox', { name: 'Boat' }) };
}
const value = () => screen.getByTestId('value').textContent;
const status = () => screen.getByText((_, node) => node?.className === 'visually-hidden');

test('asks for ten rows when it is opened, and not before', async () => {
  const { user, find, input } = await drawField();
  expect(find).not.toHaveBeenCalled();
  await user.click(input);
  await screen.findByRole('option', { name: 'Anna' });
  expect(find.mock.calls.map(([query]) => query)).toEqual([{ limit: 10, search: undefined }]);
  expect(status().textContent).toBe(i18n.t('common:options.found', { count: 2 }));
});

test('searches once after a pause in typing, for 25 rows, and is operated by keyboard', async () => {
  const { user, find, input } = await drawField();
  await user.tab();
  expect(document.activeElement).toBe(input);
  // Without a pause between the keys, however busy the machine is.
  for (const typed of ['B', 'Be', 'Ber', 'Bert'])
    fireEvent.change(input, { target: { value: typed } });
  await waitFor(() =>
    expect(find).toHaveBeenLastCalledWith({ limit: 25, search: 'Bert' }, expect.anything()),
  );
  expect(find.mock.calls.filter(([{ search }]) => search)).toHaveLength(1);
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
  await user.keyboard('{ArrowDown}{Enter}');
  expect(value()).toBe('2');
  expect(input.value).toBe('Bertha');
});

test('loads the title of its value, and keeps it among other rows', async () => {
  const { user, input } = await drawField({ initial: '7' });
  await waitFor(() => expect(input.value).toBe('Boat 7'));
  await user.click(input);
  await screen.findByRole('option', { name: 'Anna' });
  expect(screen.getByRole('option', { name: 'Boat 7' }).getAttribute('aria-selected')).toBe('true');
  await user.click(screen.getByRole('option', { name: 'Anna' }));
  expect(value()).toBe('1');
});

test('says that nothing was found, and that there is nothing at all', async () => {
  const { user, input } = await drawField({
    find: vi.fn<OptionSource<Boat>['find']>(() => Promise.resolve({ data: [] })),
  });
  await user.click(input);
  await waitFor(() => expect(status().textContent).toBe(i18n.t('common:options.none')));
  await user.type(input, 'x');
  await waitFor(() => expect(status().textContent).toBe(i18n.t('common:nothingFound')));
});

test('says why rows could not be loaded, and loads them again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isDown = true;
  const { user, input } = await drawField({
    find: vi.fn<OptionSource<Boat>['find']>(() =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve({ data: BOATS }),
    ),
  });
  await user.click(input);
  // The query is repeated twice before it has failed.
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  await waitFor(() => expect(status().textContent).toBe(i18n.t('errors:unknown')));
  isDown = false;
  await user.click(screen.getByRole('button', { name: i18n.t('common:retry'), hidden: true }));
  await screen.findByRole('option', { name: 'Anna' });
  vi.useRealTimers();
});

test('is emptied by keyboard', async () => {
  const { user, input } = await drawField({ initial: '7' });
  await waitFor(() => expect(input.value).toBe('Boat 7'));
  screen.getByRole('button', { name: i18n.t('common:clear') }).focus();
  await user.keyboard('{Enter}');
  expect(value()).toBe('');
  expect(input.value).toBe('');
});
