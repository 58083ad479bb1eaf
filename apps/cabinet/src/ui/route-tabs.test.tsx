import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { RouteTabs } from './route-tabs.tsx';

const TABS = ['One', 'Two', 'Three'].map((label) => ({ to: `/${label}`, label }));

it('moves the focus by arrows, Home and End, round the ends', async () => {
  await draw(<RouteTabs label="Parts" tabs={TABS} />);
  const focusAfter = (key: string) => {
    fireEvent.keyDown(document.activeElement!, { key });
    return document.activeElement!.textContent;
  };
  screen.getByRole('link', { name: 'One' }).focus();
  expect(['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home'].map(focusAfter)).toEqual([
    'Two',
    'Three',
    'One',
    'Three',
    'One',
  ]);
});

it('leaves the browser its own keys', async () => {
  await draw(<RouteTabs label="Parts" tabs={TABS} />);
  const one = screen.getByRole('link', { name: 'One' });
  one.focus();
  expect(fireEvent.keyDown(one, { key: 'ArrowLeft', altKey: true })).toBe(true);
  expect(document.activeElement).toBe(one);
});

it('draws no tabs where there is one part', async () => {
  await draw(<RouteTabs label="Parts" tabs={TABS.slice(0, 1)} />);
  expect(screen.queryByRole('navigation')).toBeNull();
});
