import {
  Button,
  createTheme,
  darken,
  defaultVariantColorsResolver,
  parseThemeColor,
  type CSSVariablesResolver,
} from '@mantine/core';
import type { BrandColors } from '@heliograph/domain';
import { foldedFilter } from './folded-filter.ts';
import { shadesOf } from './shades.ts';

const NAMES =
  'brand gray red pink grape violet indigo blue cyan teal green lime yellow orange'.split(' ');

/** Text on a light tint of its own colour: the library's shade misses 4.5:1 for these. */
const TEXT_ON_LIGHT: Record<string, string> = {
  yellow: '#7a4a00',
  lime: '#3d6b07',
  orange: '#a33d00',
  green: '#1f6b30',
  teal: '#04684a',
  cyan: '#0b5f72',
  gray: 'var(--mantine-color-gray-8)',
};

/** The library's has the letters of a big button in the box of a small one. */
const SMALL = { '--button-fz': '13px', '--button-height': '28px', '--button-padding-x': '10px' };

/** The page stays in sight behind a dialog. */
const OVERLAY = { backgroundOpacity: 0.4 };

const TITLE = { fontWeight: 600, lineHeight: 1.35, overflowWrap: 'anywhere' } as const;

/** In the colours of a brand. WCAG AA in both schemes; measured with axe. */
export const themeOf = ({ primary, accent }: BrandColors) =>
  createTheme({
    other: { accent },
    primaryColor: 'brand',
    colors: { brand: shadesOf(primary) },
    primaryShade: { light: 8, dark: 8 },
    autoContrast: true,
    luminanceThreshold: 0.18,
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Button: Button.extend({
        vars: (_, { size }) => ({ root: size === 'compact-sm' ? SMALL : {} }),
      }),
      // `<header>` in a dialog would be a second banner of the page.
      ModalHeader: { defaultProps: { component: 'div' } },
      DrawerHeader: { defaultProps: { component: 'div' } },
      Modal: { defaultProps: { overlayProps: OVERLAY, size: 500 }, styles: { title: TITLE } },
      Drawer: { defaultProps: { overlayProps: OVERLAY }, styles: { title: TITLE } },
      // What opens over the page is told from it.
      Popover: { defaultProps: { shadow: 'md' } },
      Notification: { styles: { description: { color: 'var(--mantine-color-text)' } } },
      Autocomplete: { defaultProps: { filter: foldedFilter } },
      MultiSelect: { defaultProps: { filter: foldedFilter } },
      Select: { defaultProps: { filter: foldedFilter } },
      TagsInput: { defaultProps: { filter: foldedFilter } },
      // The placeholder is focusable, which a menu may not contain; the first item takes the focus instead.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false, shadow: 'md' } },
    },
    variantColorResolver(input) {
      const resolved = defaultVariantColorsResolver(input);
      const { isThemeColor, color } = parseThemeColor({
        color: input.color || input.theme.primaryColor,
        theme: input.theme,
      });
      if (!isThemeColor) return resolved;
      const text = `var(--app-${color}-text)`;
      if (input.variant === 'light') {
        return { ...resolved, background: `var(--mantine-color-${color}-light)`, color: text };
      }
      const bare = ['subtle', 'outline', 'transparent'].includes(input.variant);
      return bare ? { ...resolved, color: text } : resolved;
    },
  });

export const cssVariablesResolver: CSSVariablesResolver = ({ colors, other }) => {
  const light: Record<string, string> = {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-8)',
    // A button that counts down is disabled and must be read all the same.
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-7)',
  };
  const dark: Record<string, string> = {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-brand-4)',
    '--mantine-color-disabled-color': 'var(--mantine-color-dark-1)',
  };
  for (const name of NAMES) {
    light[`--app-${name}-text`] = TEXT_ON_LIGHT[name] ?? `var(--mantine-color-${name}-9)`;
    dark[`--app-${name}-text`] = `var(--mantine-color-${name}-3)`;
    // The library's tints are as loud as filled areas, and its gray one is darker than the page.
    const tint = colors[name]![6]!;
    dark[`--mantine-color-${name}-light`] =
      name === 'gray' ? 'var(--mantine-color-dark-5)' : darken(tint, 0.7);
    dark[`--mantine-color-${name}-light-hover`] =
      name === 'gray' ? 'var(--mantine-color-dark-4)' : darken(tint, 0.62);
  }
  return { variables: { '--app-accent': String(other.accent) }, light, dark };
};
