import { useComputedColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { useShownBrand } from '../core/frontend.ts';
import { seasonOf, type Season } from './season.ts';

/** A mirror's sun; in winter a flake, in the first days of spring a flower. */
const SUN = <circle cx="12" cy="20" r="5" fill="var(--app-accent)" />;
const OTHERS: Record<Season, ReactNode> = {
  winter: (
    <path
      d="M12 13.5v13M6.4 16.7l11.2 6.6M6.4 23.3l11.2-6.6"
      stroke="#fff"
      strokeWidth="2.2"
      strokeLinecap="round"
    />
  ),
  spring: (
    <>
      <path
        d="M12 16.3h0M15.5 18.9h0M14.2 23h0M9.8 23h0M8.5 18.9h0"
        stroke="var(--app-accent)"
        strokeWidth="5.6"
        strokeLinecap="round"
      />
      <circle cx="12" cy="20" r="2.2" fill="#fff" />
    </>
  ),
};

/** The picture of the brand, or the mark in its colours; the words beside it name it. */
export function Logo({ size = 24 }: { size?: number }) {
  const { logo } = useShownBrand();
  const scheme = useComputedColorScheme();
  return logo ? <Picture src={logo[scheme]} height={size} /> : <Mark size={size} />;
}

/** A logo may be wider than high. */
export const Picture = ({ src, height }: { src: string; height: number }) => (
  <img
    src={src}
    alt=""
    height={height}
    style={{ flexShrink: 0, maxWidth: height * 5, objectFit: 'contain' }}
  />
);

/** In the colours of the theme. */
export function Mark({ size }: { size: number }) {
  const season = seasonOf(new Date());
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      aria-hidden
      data-season={season}
      style={{ flexShrink: 0 }}
    >
      <rect width="32" height="32" rx="7" fill="var(--mantine-color-brand-8)" />
      {season ? OTHERS[season] : SUN}
      <path
        d="M17 15 27 5M18.5 19.5 28 16M12.5 13.5 16 4"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
