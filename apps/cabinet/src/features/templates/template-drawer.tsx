import { Divider, Drawer, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { TemplateFacts } from './template-facts.tsx';
import { TemplateForm } from './template-form.tsx';
import { TemplateModeration } from './template-moderation.tsx';
import { templateQuery } from './templates.api.ts';

/** A template to read, change and judge, `?id=`; a new one, `?create=true`. */
export function TemplateDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  const [id, setId] = useParam('id');
  const [creating, setCreating] = useParam('create');
  const isNew = creating !== null && can('templates.create');
  const last = useRef(id);
  if (id || isNew) last.current = id;
  const { data, error, refetch } = useQuery({
    ...templateQuery(last.current ?? ''),
    enabled: !!id,
  });
  const close = () => (isNew ? setCreating(null, { replace: true }) : setId(null));
  const shown = last.current ? data : null;
  return (
    <Drawer
      opened={!!id || isNew}
      onClose={close}
      position="right"
      size={600}
      title={shown ? shown.title : t(last.current ? 'templates:detail' : 'templates:createTitle')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {!last.current ? (
        <TemplateForm row={null} readOnly={false} onClose={close} />
      ) : shown ? (
        <Stack>
          <TemplateFacts row={shown} />
          <TemplateModeration row={shown} />
          <Divider />
          <TemplateForm
            key={shown.id}
            row={shown}
            readOnly={!can('templates.update')}
            onClose={close}
          />
        </Stack>
      ) : error ? (
        <ErrorCard
          title={t('templates:detailFailed')}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <DetailsSkeleton />
      )}
    </Drawer>
  );
}
