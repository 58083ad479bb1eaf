import { Divider, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useLast } from '../../core/use-last.ts';
import { useParam } from '../../core/use-param.ts';
import { DetailBody, useDetail } from '../../ui/detail.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { TemplateFacts } from './template-facts.tsx';
import { TemplateForm } from './template-form.tsx';
import { TemplateModeration } from './template-moderation.tsx';
import { templateQuery } from './templates.api.ts';

/** A template to read, change and judge, `?id=`; a new one, `?create=true`. */
export function TemplateDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  const [creating, setCreating] = useParam('create');
  const detail = useDetail(templateQuery);
  const isNew = creating !== null && can('templates.create');
  const showsNew = useLast(isNew && !detail.id, isNew || !!detail.id);
  const close = () => (isNew ? setCreating(null, { replace: true }) : detail.setId(null));
  const title = showsNew
    ? t('templates:createTitle')
    : (detail.data?.title ?? t('templates:detail'));
  return (
    <Sheet opened={!!detail.id || isNew} onClose={close} size={600} title={title}>
      {showsNew ? (
        <TemplateForm row={null} readOnly={false} onClose={close} />
      ) : (
        <DetailBody detail={detail} failed={t('templates:detailFailed')}>
          {(row) => (
            <Stack>
              <TemplateFacts row={row} />
              <TemplateModeration row={row} />
              <Divider />
              <TemplateForm
                key={row.id}
                row={row}
                readOnly={!can('templates.update')}
                onClose={close}
              />
            </Stack>
          )}
        </DetailBody>
      )}
    </Sheet>
  );
}
