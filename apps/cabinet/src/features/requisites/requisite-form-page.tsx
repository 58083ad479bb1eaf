import type { CompanySuggestion, Requisite } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { localPath } from '../../core/local-path.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconSearch } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RequisiteForm } from './requisite-form.tsx';
import { emptyValues, valuesOf } from './requisite-values.ts';
import { requisiteQuery } from '../invoices/invoices.api.ts';
import { useCreateRequisite, useUpdateRequisite } from './requisites.api.ts';

const CompanyDialog = later(async () => (await import('./company-dialog.tsx')).CompanyDialog);
const ContractsSection = later(
  async () => (await import('./contracts-section.tsx')).ContractsSection,
);

/** To the list, or to the page that needs the requisites, `?to=`. */
function useClose() {
  const navigate = useNavigate();
  const to = useSearchParams()[0].get('to');
  return () => void navigate(to ? localPath(to) : '/account/requisites');
}

export function CreateRequisitePage() {
  const { t } = useTranslation();
  const { tools } = useSettings();
  const { mutateAsync } = useCreateRequisite();
  const close = useClose();
  const [isSearching, setSearching] = useState(false);
  const [company, setCompany] = useState<CompanySuggestion | null>(null);
  const [initial] = useState(emptyValues);
  return (
    <>
      <RequisiteForm
        id="create"
        title={t('requisites:createTitle')}
        action={t('requisites:createSubmit')}
        initial={initial}
        isEdit={false}
        submit={mutateAsync}
        onDone={({ title }) => {
          showSuccess(t('requisites:saved', { title }));
          close();
        }}
        onClose={close}
        company={company}
      >
        {tools.lookups && (
          <Button
            variant="default"
            leftSection={<IconSearch size={18} aria-hidden />}
            onClick={() => setSearching(true)}
          >
            {t('requisites:company.open')}
          </Button>
        )}
      </RequisiteForm>
      <CompanyDialog
        opened={isSearching}
        onClose={() => setSearching(false)}
        onChoose={setCompany}
      />
    </>
  );
}

export function EditRequisitePage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(requisiteQuery(id));
  if (data) return <EditForm key={id} row={data} />;
  return (
    <>
      <PageHeader
        title={t('requisites:editTitle')}
        back={{ to: '/account/requisites', label: t('requisites:back') }}
      />
      {error ? (
        <ErrorCard title={t('requisites:failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailsSkeleton />
      )}
    </>
  );
}

function EditForm({ row }: { row: Requisite }) {
  const { t } = useTranslation();
  const can = useCan();
  const close = useClose();
  const { mutateAsync } = useUpdateRequisite(row.id);
  return (
    <>
      <RequisiteForm
        id={row.id}
        title={t('requisites:editTitle')}
        name={row.title}
        action={t('requisites:save')}
        initial={valuesOf(row)}
        isEdit
        readOnly={!can('requisites.update')}
        submit={mutateAsync}
        onDone={({ title }) => showSuccess(t('requisites:saved', { title }))}
        onClose={close}
      />
      <ContractsSection RequisiteId={row.id} />
    </>
  );
}
