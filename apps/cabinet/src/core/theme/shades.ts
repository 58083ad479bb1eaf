import { darken, lighten, luminance, type MantineColorsTuple } from '@mantine/core';

/** Of two colours, 1 to 21, as WCAG counts it. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

/** WCAG AA requires 4.5; the margin covers tinted rows, which contrast less than white and black. */
const MIN_CONTRAST = 5.2;
const WHITE = '#ffffff';
/** The lightest background of text in the dark scheme. */
const DARK = '#3b3b3b';

/** The colour itself where it is read on the background, else moved away from it until it is. */
function readable(color: string, background: string, move: typeof darken): string {
  for (let part = 0; part < 1; part += 0.02) {
    const moved = move(color, part);
    if (contrast(moved, background) >= MIN_CONTRAST) return moved;
  }
  return move(color, 1);
}

/**
 * Ten shades of a brand's colour, light to dark, that are read whatever the colour is: white on the ninth (8), the last as
 * text on the light tints (1 and 2), the fourth and fifth (3, 4) as text in the dark scheme.
 */
export function shadesOf(color: string): MantineColorsTuple {
  const filled = readable(color, WHITE, darken);
  const tint = (part: number) => lighten(filled, part);
  const hover = tint(0.8);
  return [
    tint(0.95),
    tint(0.9),
    hover,
    readable(tint(0.6), DARK, lighten),
    readable(tint(0.5), DARK, lighten),
    tint(0.38),
    tint(0.25),
    tint(0.12),
    filled,
    readable(darken(filled, 0.12), hover, darken),
  ];
}
