import { expect, it, vi } from 'vitest';
import { GO, goKeys, placesOf } from './keymap.ts';
import type { PagePath } from '../core/access.ts';
import type { NavGroup } from './navigation.ts';

const group = (...paths: PagePath[]): NavGroup => ({
  label: 'group',
  items: paths.map((to) => ({ to, label: to, icon: null as never })),
});

it('leads only to what is there and allowed', () => {
  const places = placesOf(
    [group('/messages/outgoing', '/users')],
    (path) => path === '/' || path === '/documentation',
  );
  expect(places.map((p) => p.letter)).toEqual(['h', 'o', 'd', 'u']);
});

it('leads to the first page under a path, and home is only home', () => {
  const places = placesOf([group('/balance/payments', '/balance/billings')], () => true);
  expect(places.map((p) => [p.letter, p.to])).toEqual([
    ['h', '/'],
    ['s', '/send'],
    ['n', '/notifications'],
    ['b', '/balance/payments'],
    ['d', '/documentation'],
  ]);
});

it('makes chords of them', () => {
  const go = vi.fn<(to: string) => void>();
  goKeys(
    placesOf([], () => true),
    go,
  )['g s']!(null as never);
  expect(go).toHaveBeenCalledWith('/send');
  expect(Object.keys(GO)).toHaveLength(12);
});
