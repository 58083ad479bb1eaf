import { SuppressionReason, type Suppression } from '@heliograph/contract';
import { Button, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { manyField } from '../../list/filters/filter-field.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconBan, IconClock, IconSettings, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { ExportSuppressions } from './export-suppressions.tsx';
import { suppressionSpec } from './suppressions.api.ts';
import { useSuppressionColumns } from './use-suppression-columns.tsx';

const AddSuppressions = later(async () => (await import('./add-suppressions.tsx')).AddSuppressions);
const QuietHoursDialog = later(
  async () => (await import('./quiet-hours-dialog.tsx')).QuietHoursDialog,
);
const OptOutDialog = later(async () => (await import('./opt-out-dialog.tsx')).OptOutDialog);
const RemoveSuppression = later(
  async () => (await import('./remove-suppression.tsx')).RemoveSuppression,
);

/** Who gets no messages of the user's own account. */
export function SuppressionsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { OwnerId } = useSettings().session;
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(suppressionSpec, fixed);
  const columns = useSuppressionColumns();
  const [, setCreating] = useParam('create');
  const [, setWords] = useParam('words');
  const [, setQuiet] = useParam('quiet');
  const [removing, setRemoving] = useState<Suppression | null>(null);
  const mayRemove = can('suppressions.remove');
  const actions = useCallback(
    (row: Suppression) =>
      mayRemove && (
        <RowActions>
          <IconAction
            icon={IconTrash}
            word="allow"
            label={t('suppressions:remove', { address: row.address })}
            onClick={() => setRemoving(row)}
          />
        </RowActions>
      ),
    [t, mayRemove],
  );
  return (
    <ListPage
      page={page}
      title={t('suppressions:title')}
      fields={[
        { kind: 'search', label: t('suppressions:search') },
        manyField('reason', t('suppressions:reasonLabel'), SuppressionReason.options, (reason) =>
          t(`suppressions:reason.${reason}`),
        ),
      ]}
      create={
        can('suppressions.create') && (
          <CreateButton onClick={() => setCreating('true')}>{t('suppressions:add')}</CreateButton>
        )
      }
      header={
        <>
          <Button
            variant="default"
            leftSection={<IconSettings size={18} aria-hidden />}
            onClick={() => setWords('true')}
          >
            {t('suppressions:words')}
          </Button>
          {can('quietHours.get') && (
            <Button
              variant="default"
              leftSection={<IconClock size={18} aria-hidden />}
              onClick={() => setQuiet('true')}
            >
              {t('suppressions:quiet.title')}
            </Button>
          )}
          <ExportSuppressions OwnerId={OwnerId} />
        </>
      }
      intro={
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          {t('suppressions:intro')}
        </Text>
      }
      columns={columns}
      actions={actions}
      actionsWidth={80}
      empty={{
        icon: IconBan,
        title: t('suppressions:empty.title'),
        text: t('suppressions:empty.text'),
      }}
    >
      <AddSuppressions />
      <OptOutDialog />
      <QuietHoursDialog />
      <RemoveSuppression row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}
