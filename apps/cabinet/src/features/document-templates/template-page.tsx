import type { DocumentTemplate } from '@heliograph/contract';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { usePolling } from '../../core/realtime/live.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import {
  documentTemplateQuery,
  useActivateTemplate,
  useCreateTemplate,
  useUpdateTemplate,
} from './document-templates.api.ts';
import { TemplateState } from './template-state.tsx';

const TemplateForm = later(
  async () => (await import('./template-form.tsx')).TemplateForm,
  <DetailsSkeleton />,
);

const LIST = '/documentTemplates';

function useBack() {
  const { t } = useTranslation();
  return { to: LIST, label: t('documentTemplates:back') };
}

export function CreateTemplatePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mutateAsync } = useCreateTemplate();
  return (
    <>
      <PageHeader title={t('documentTemplates:createTitle')} back={useBack()} />
      <TemplateForm
        row={null}
        submit={mutateAsync}
        onDone={({ id, title }) => {
          showSuccess(t('documentTemplates:saved', { title }));
          void navigate(`${LIST}/${id}`, { replace: true });
        }}
      />
    </>
  );
}

export function EditTemplatePage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const back = useBack();
  const refetchInterval = usePolling('documentTemplates');
  const { data, error, refetch } = useQuery({ ...documentTemplateQuery(id), refetchInterval });
  if (data) return <EditForm key={id} row={data} />;
  return (
    <>
      <PageHeader title={t('documentTemplates:detail')} back={back} />
      {error ? (
        <ErrorCard
          title={t('documentTemplates:failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <DetailsSkeleton />
      )}
    </>
  );
}

function EditForm({ row }: { row: DocumentTemplate }) {
  const { t } = useTranslation();
  const mayUpdate = useCan()('documentTemplates.update', 'managerUp');
  const { mutateAsync } = useUpdateTemplate(row.id);
  const { mutate: activate, isPending } = useActivateTemplate();
  const { id, title, isActive } = row;
  return (
    <>
      <PageHeader title={title} back={useBack()} mark={<TemplateState row={row} />}>
        {mayUpdate && !isActive && (
          <Button loading={isPending} onClick={() => activate({ id, isActive: true })}>
            {t('documentTemplates:activate')}
          </Button>
        )}
      </PageHeader>
      <TemplateForm
        row={row}
        readOnly={!mayUpdate}
        submit={mutateAsync}
        onDone={(saved) => showSuccess(t('documentTemplates:saved', { title: saved.title }))}
      />
    </>
  );
}
