import type { CatalogueTariff } from '@heliograph/contract';
import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { catalogueQuery, useCreateTariff, useReplaceTariff } from './catalogue.api.ts';
import { TariffForm } from './tariff-form.tsx';

const LIST = '/tariffCatalogue';

function useBack() {
  const { t } = useTranslation();
  return { to: LIST, label: t('tariffCatalogue:back') };
}

export function CreateTariffPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mutateAsync } = useCreateTariff();
  return (
    <>
      <PageHeader title={t('tariffCatalogue:createTitle')} back={useBack()} />
      <TariffForm
        row={null}
        submit={mutateAsync}
        onDone={({ id, title }) => {
          showSuccess(t('tariffCatalogue:saved', { title }));
          void navigate(`${LIST}/${id}`, { replace: true });
        }}
      />
    </>
  );
}

export function EditTariffPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const back = useBack();
  const { data, error, refetch } = useQuery(catalogueQuery(id));
  if (data) return <EditTariff key={id} row={data} />;
  return (
    <>
      <PageHeader title={t('tariffCatalogue:detail')} back={back} />
      {error ? (
        <ErrorCard
          title={t('tariffCatalogue:failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <DetailsSkeleton />
      )}
    </>
  );
}

function EditTariff({ row }: { row: CatalogueTariff }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { mutateAsync } = useReplaceTariff(row.id);
  const mark = (
    <Badge variant="light" radius="sm" tt="none" fw={500}>
      {t('tariffCatalogue:versionNumber', { number: formats.number(row.version) })}
    </Badge>
  );
  return (
    <>
      <PageHeader title={row.title} back={useBack()} mark={mark} />
      <TariffForm
        row={row}
        submit={mutateAsync}
        onDone={({ title }, startsAt) =>
          showSuccess(
            startsAt
              ? t('tariffCatalogue:savedLater', { time: formats.dateTime(startsAt) })
              : t('tariffCatalogue:saved', { title }),
          )
        }
      />
    </>
  );
}
