import type { Brand } from '@heliograph/contract';
import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useSettings } from '../../core/settings.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BrandDomain } from './brand-domain.tsx';
import { BrandForm } from './brand-form.tsx';
import { BrandLogos } from './brand-logos.tsx';
import { brandQuery } from './brands.api.ts';

/** `/brand`, and `/brand/:id` for managers, who choose a reseller: how it appears to its customers. */
export function BrandPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { OwnerId, level } = useSettings().session;
  const { id = level === 'manager' ? null : OwnerId } = useParams();
  return (
    <>
      <PageHeader title={t('brands:title')} />
      {level === 'manager' && (
        <Box maw={400} mb="md">
          <OwnerSelect
            level="reseller"
            label={t('brands:reseller')}
            value={id}
            onChange={(chosen) => void navigate(`/brand/${chosen ?? ''}`)}
          />
        </Box>
      )}
      {id && <BrandOf key={id} id={id} />}
    </>
  );
}

function BrandOf({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(brandQuery(id));
  if (data) return <Loaded brand={data} />;
  if (!error) return <DetailsSkeleton />;
  return <ErrorCard title={t('brands:failed')} error={error} onRetry={() => void refetch()} />;
}

function Loaded({ brand }: { brand: Brand }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" maw={1000}>
      <Text size="sm">{t('brands:text')}</Text>
      <BrandForm brand={brand} />
      <BrandLogos brand={brand} />
      <BrandDomain brand={brand} />
    </Stack>
  );
}
