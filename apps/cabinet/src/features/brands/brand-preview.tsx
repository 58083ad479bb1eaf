import type { Brand } from '@heliograph/contract';
import type { BrandColors } from '@heliograph/domain';
import { Stack, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { shadesOf } from '../../core/theme/shades.ts';
import { Mark, Picture } from '../../ui/logo.tsx';

/** Surfaces and words of the theme in its two schemes. */
const SCHEMES = {
  light: { page: '#ffffff', line: '#dee2e6', words: '#000000', link: 8 },
  dark: { page: '#242424', line: '#424242', words: '#c9c9c9', link: 4 },
} as const;

interface BrandPreviewProps {
  title: string;
  colors: BrandColors;
  brand: Pick<Brand, 'logo' | 'darkLogo'>;
}

/** The head of a page, a link and a button in both schemes, whatever the page around it has. */
export function BrandPreview({ title, colors, brand }: BrandPreviewProps) {
  const { t } = useTranslation();
  const shades = shadesOf(colors.primary);
  const logos = { light: brand.logo ?? brand.darkLogo, dark: brand.darkLogo ?? brand.logo };
  return (
    <Stack gap="xs" role="img" aria-label={t('brands:preview')}>
      {(['light', 'dark'] as const).map((scheme) => {
        const { page, line, words, link } = SCHEMES[scheme];
        const logo = logos[scheme];
        const variables = {
          '--mantine-color-brand-8': shades[8],
          '--app-accent': colors.accent,
        } as CSSProperties;
        return (
          <div
            key={scheme}
            style={{
              ...variables,
              background: page,
              color: words,
              border: `1px solid ${line}`,
              borderRadius: 8,
              overflow: 'hidden',
            }}
          >
            <div
              style={{
                display: 'flex',
                alignItems: 'center',
                gap: 8,
                padding: '8px 12px',
                borderBottom: `1px solid ${line}`,
              }}
            >
              {logo ? <Picture src={logo} height={24} /> : <Mark size={24} />}
              <Text fw={600} truncate>
                {title}
              </Text>
            </div>
            <div style={{ display: 'flex', alignItems: 'center', gap: 16, padding: 12 }}>
              <span
                style={{
                  background: shades[8],
                  color: '#ffffff',
                  borderRadius: 8,
                  padding: '6px 14px',
                  fontSize: 14,
                  fontWeight: 600,
                }}
              >
                {t('brands:sampleButton')}
              </span>
              <span style={{ color: shades[link], textDecoration: 'underline', fontSize: 14 }}>
                {t('brands:sampleLink')}
              </span>
            </div>
          </div>
        );
      })}
    </Stack>
  );
}
