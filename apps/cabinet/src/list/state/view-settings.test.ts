import { expect, it } from 'vitest';
import {
  readViewSettings,
  removeView,
  renameView,
  saveView,
  shownColumns,
  type View,
} from './view-settings.ts';

const view = (name: string, query = ''): View => ({ name, query, columns: {} });
const names = (views: View[]) => views.map((v) => v.name);
const COLUMNS = [
  { id: 'time' },
  { id: 'sender', hideBelow: 'lg' },
  { id: 'custom01', isOptional: true },
];
const ids = (chosen: Record<string, boolean>) => shownColumns(COLUMNS, chosen).map((c) => c.id);

it('reads what was kept and forgets what it cannot read', () => {
  const defaults = { columns: {}, views: [] };
  for (const unreadable of [null, undefined, '{', { columns: [] }, { views: 'all' }])
    expect(readViewSettings(unreadable)).toEqual(defaults);
  // The row spacing was once kept for each list.
  expect(readViewSettings({ density: 'compact', columns: { a: false } })).toEqual({
    columns: { a: false },
    views: [],
  });
});

it('shows the usual columns, and those that were chosen', () => {
  expect(ids({})).toEqual(['time', 'sender']);
  expect(ids({ time: false, custom01: true })).toEqual(['sender', 'custom01']);
});

it('never shows no column at all', () => {
  expect(ids({ time: false, sender: false })).toEqual(['time']);
});

it('keeps a column that was asked for when the window is small', () => {
  expect(shownColumns(COLUMNS, {})[1]!.hideBelow).toBe('lg');
  expect(shownColumns(COLUMNS, { sender: true })[1]!.hideBelow).toBeUndefined();
});

it('keeps views under their names', () => {
  const one = saveView([view('a', 'x=1'), view('b')], view('a', 'x=2'));
  expect(one.map((v) => [v.name, v.query])).toEqual([
    ['a', 'x=2'],
    ['b', ''],
  ]);
  expect(names(saveView(one, view('c')))).toEqual(['a', 'b', 'c']);
  expect(names(renameView(one, 'a', 'c'))).toEqual(['c', 'b']);
  expect(names(renameView(one, 'a', 'b'))).toEqual(['a', 'b']);
  expect(names(renameView(one, 'a', ''))).toEqual(['a', 'b']);
  expect(names(removeView(one, 'a'))).toEqual(['b']);
});
