import { darken } from '@mantine/core';
import { expect, it } from 'vitest';
import { contrast, shadesOf } from './shades.ts';

it('counts as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

// Both brands, and whatever somebody may think beautiful.
it.each(['#1c6dd0', '#0f766e', '#ffd43b', '#ffffff', '#000000', '#e11d48', '#00ff00', '#8888ff'])(
  '%s is read in both schemes',
  (color) => {
    const shades = shadesOf(color);
    expect(shades).toHaveLength(10);
    expect(contrast(shades[8], '#ffffff')).toBeGreaterThanOrEqual(4.5);
    // A link in a row that the pointer is over.
    expect(contrast(shades[8], '#f1f3f5')).toBeGreaterThanOrEqual(4.5);
    for (const tint of [shades[0], shades[1], shades[2], '#ffffff'])
      expect(contrast(shades[9], tint)).toBeGreaterThanOrEqual(4.5);
    for (const dark of [
      '#1f1f1f',
      '#2e2e2e',
      '#3b3b3b',
      darken(shades[6], 0.7),
      darken(shades[6], 0.62),
    ])
      for (const text of [shades[3], shades[4]])
        expect(contrast(text, dark)).toBeGreaterThanOrEqual(4.5);
  },
);

it('a colour that is dark enough stays what it is', () => {
  expect(shadesOf('#0f766e')[8]).toBe(darken('#0f766e', 0));
});
