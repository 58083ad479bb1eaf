import type { Brand } from '@heliograph/contract';
import { logoError } from '@heliograph/domain';
import { Button, FileButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldText } from '../../core/errors.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { Section } from './brand-form.tsx';
import { useSetLogo } from './brands.api.ts';

const SCHEMES = { light: '#ffffff', dark: '#242424' } as const;
type Scheme = keyof typeof SCHEMES;

/** The pictures, each of which is stored as soon as it is chosen. */
export function BrandLogos({ brand }: { brand: Brand }) {
  const { t } = useTranslation();
  const mayChange = useCan()('brands.update', 'resellerUp');
  return (
    <Section id="brand-logos" title={t('brands:logos')}>
      <Text size="sm" c="dimmed" mb="sm">
        {t('brands:logoHint')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="lg">
        {(['light', 'dark'] as const).map((scheme) => (
          <LogoField
            key={scheme}
            OwnerId={brand.OwnerId}
            scheme={scheme}
            src={scheme === 'light' ? brand.logo : brand.darkLogo}
            mayChange={mayChange}
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

interface LogoFieldProps {
  OwnerId: string;
  scheme: Scheme;
  src: string | null;
  mayChange: boolean;
}

function LogoField({ OwnerId, scheme, src, mayChange }: LogoFieldProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useSetLogo();
  const [problem, setProblem] = useState<string | null>(null);
  const label = t(`brands:logo.${scheme}`);
  const store = (image: string | null) =>
    mutate(
      { OwnerId, scheme, image },
      {
        onSuccess: () => showSuccess(t(image ? 'brands:logoSaved' : 'brands:logoRemoved')),
        onError: (error) => {
          const [refused] = fieldErrors(error);
          setProblem(refused ? fieldText(t, [refused]) : errorText(t, error));
        },
      },
    );
  const choose = async (file: File | null) => {
    if (!file) return;
    setProblem(null);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const rule = logoError(bytes);
    if (rule) setProblem(t(`errors:rule.${rule}`));
    else store(base64Of(bytes));
  };
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group
        h={72}
        px="md"
        style={{ background: SCHEMES[scheme], border: '1px solid #868e96', borderRadius: 8 }}
      >
        {src ? (
          <img src={src} alt={label} style={{ maxHeight: 48, maxWidth: '100%' }} />
        ) : (
          <Text size="sm" style={{ color: scheme === 'light' ? '#495057' : '#c9c9c9' }}>
            {t(scheme === 'light' ? 'brands:noLogo' : 'brands:sameLogo')}
          </Text>
        )}
      </Group>
      {mayChange && (
        <Group gap="xs">
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            onChange={(file) => void choose(file)}
          >
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={isPending}>
                {t('brands:chooseLogo')}
              </Button>
            )}
          </FileButton>
          {src && (
            <Button variant="subtle" size="xs" disabled={isPending} onClick={() => store(null)}>
              {t('brands:removeLogo')}
            </Button>
          )}
        </Group>
      )}
      <div aria-live="assertive">
        {problem && (
          <Text size="sm" c="red">
            {problem}
          </Text>
        )}
      </div>
    </Stack>
  );
}

const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
