import type { TemplateRow } from '@heliograph/contract';
import { canApproveGroup } from '@heliograph/domain';
import { Divider, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { DecisionForm } from '../../ui/decision-form.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { TemplateFacts } from './template-facts.tsx';
import { TemplateForm } from './template-form.tsx';
import { TemplateVersions } from './template-versions.tsx';
import { decisionsFor } from './template-values.ts';
import { templateQuery, useModerateTemplate } from './templates.api.ts';

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
          <ExistingTemplate row={row} onClose={onClose} />
        ) : (
          <TemplateForm row={null} readOnly={false} onClose={onClose} />
        )
      }
    </RowDialog>
  );
}

function ExistingTemplate({ row, onClose }: { row: TemplateRow; onClose: () => void }) {
  const can = useCan();
  // Once the row is that version, the form begins with what it says.
  const [putBack, setPutBack] = useState(0);
  return (
    <Stack>
      <TemplateFacts row={row} />
      <TemplateModeration row={row} />
      <Divider />
      <TemplateForm
        key={`${row.id} ${row.version >= putBack ? putBack : 0}`}
        row={row}
        readOnly={!can('templates.update')}
        onClose={onClose}
      />
      <TemplateVersions row={row} onPutBack={setPutBack} />
    </Stack>
  );
}

/** The decision about a customer's template. */
function TemplateModeration({ row }: { row: TemplateRow }) {
  const { t } = useTranslation();
  const can = useCan();
  const { data: me } = useQuery(meQuery);
  const { mutateAsync } = useModerateTemplate(row.id);
  const decisions = can('templates.moderate', 'resellerUp') ? decisionsFor(row, me) : [];
  const isForManager = me && !canApproveGroup(me.level, row.group);
  if (!decisions.length) return null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="template-decision">
      <Title order={2} size="h5" id="template-decision">
        {t('common:decision.title')}
      </Title>
      {isForManager && (
        <Text size="sm" c="dimmed">
          {t('templates:managerApproves')}
        </Text>
      )}
      <DecisionForm
        label={t('templates:decide', { title: row.title })}
        decisions={decisions}
        onDecide={async ({ moderation, comment }) => {
          await mutateAsync({ moderation, comment });
          showSuccess(t(`templates:moderated.${moderation}`, { title: row.title }));
        }}
      />
    </Stack>
  );
}
