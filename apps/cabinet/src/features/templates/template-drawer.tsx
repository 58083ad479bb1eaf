import { Divider, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { TemplateFacts } from './template-facts.tsx';
import { TemplateForm } from './template-form.tsx';
import { TemplateModeration } from './template-moderation.tsx';
import { templateQuery } from './templates.api.ts';

/** A template to read, change and judge, or a new one. */
export function TemplateDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={templateQuery}
      mayCreate={can('templates.create')}
      size={600}
      createTitle={t('templates:createTitle')}
      title={(row) => row?.title ?? t('templates:detail')}
      failed={t('templates:detailFailed')}
    >
      {(row, onClose) =>
        row ? (
          <Stack>
            <TemplateFacts row={row} />
            <TemplateModeration row={row} />
            <Divider />
            <TemplateForm
              key={row.id}
              row={row}
              readOnly={!can('templates.update')}
              onClose={onClose}
            />
          </Stack>
        ) : (
          <TemplateForm row={null} readOnly={false} onClose={onClose} />
        )
      }
    </RowDialog>
  );
}
