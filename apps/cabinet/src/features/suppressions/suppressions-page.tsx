import { SuppressedType, SuppressionReason, type Suppression } from '@heliograph/contract';
import { isSuppressible } from '@heliograph/domain';
import { Button, Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { useParam } from '../../core/use-param.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { Blurred } from '../../ui/blurred.tsx';
import {
  IconBan,
  IconCap,
  IconClock,
  IconMail,
  IconSettings,
  IconDownload,
} from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { saveText } from '../../ui/save-text.ts';
import { csvOf } from './suppression-values.ts';
import { useRemoveSuppression, suppressionSpec, allSuppressions } from './suppressions.api.ts';

const AddSuppressions = later(async () => (await import('./add-suppressions.tsx')).AddSuppressions);
const QuietHoursDialog = later(
  async () => (await import('./quiet-hours-dialog.tsx')).QuietHoursDialog,
);
const FrequencyCapDialog = later(
  async () => (await import('./frequency-cap-dialog.tsx')).FrequencyCapDialog,
);
const EmailSettingsDialog = later(
  async () => (await import('./email-settings-dialog.tsx')).EmailSettingsDialog,
);
const OptOutDialog = later(async () => (await import('./opt-out-dialog.tsx')).OptOutDialog);

const REMOVAL: Removal<Suppression> = {
  can: ['suppressions.remove'],
  useChange: useRemoveSuppression,
  words: (t, { address }) => ({
    question: t('suppressions:removeQuestion', { address }),
    action: t('suppressions:remove', { address }),
    text: t('suppressions:removeText'),
  }),
  word: 'allow',
};

const FILTERED = SuppressedType.options.filter((type) => type === 'all' || isSuppressible(type));

/** Who gets no messages of the user's own account. */
export function SuppressionsPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { OwnerId } = useSettings().session;
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(suppressionSpec, fixed);
  const columns = useSuppressionColumns();
  const create = useCreateButton(t('suppressions:add'), 'suppressions.create');
  const [, setWords] = useParam('words');
  const [, setQuiet] = useParam('quiet');
  const [, setCap] = useParam('cap');
  const [, setEmail] = useParam('email');
  return (
    <ListPage
      page={page}
      title={t('suppressions:title')}
      fields={[
        { kind: 'search', label: t('suppressions:search') },
        manyField('reason', t('suppressions:reasonLabel'), SuppressionReason.options, (reason) =>
          t(`suppressions:reason.${reason}`),
        ),
        manyField('type', t('suppressions:covers'), FILTERED, (type) =>
          type === 'all' ? t('suppressions:allTypes') : t(`common:type.${type}`),
        ),
      ]}
      create={create}
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
          {can('frequencyCap.get') && (
            <Button
              variant="default"
              leftSection={<IconCap size={18} aria-hidden />}
              onClick={() => setCap('true')}
            >
              {t('suppressions:cap.title')}
            </Button>
          )}
          {can('emailSettings.get') && (
            <Button
              variant="default"
              leftSection={<IconMail size={18} aria-hidden />}
              onClick={() => setEmail('true')}
            >
              {t('suppressions:email.title')}
            </Button>
          )}
          <ExportSuppressions OwnerId={OwnerId} />
        </>
      }
      intro={t('suppressions:intro')}
      columns={columns}
      removal={REMOVAL}
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
      <FrequencyCapDialog />
      <EmailSettingsDialog />
    </ListPage>
  );
}

/** Downloads all rows as a file for Excel. */
function ExportSuppressions({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMutationOnce({
    mutationFn: () => allSuppressions(OwnerId),
    onSuccess: (rows) =>
      saveText(
        'unsubscribed.csv',
        csvOf(rows, {
          header: [
            t('suppressions:address'),
            t('suppressions:covers'),
            t('suppressions:reasonLabel'),
            t('suppressions:note'),
            t('suppressions:since'),
          ],
          typeOf: ({ type }) => (type ? t(`common:type.${type}`) : t('suppressions:allTypes')),
          reasonOf: ({ reason }) => t(`suppressions:reason.${reason}`),
        }),
        'text/csv;charset=utf-8',
      ),
    meta: { invalidates: [] },
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {t('suppressions:export')}
    </Button>
  );
}

function useSuppressionColumns(): GridColumn<Suppression>[] {
  const { t } = useTranslation();
  const mayOpen = useCan()('sendings.get');
  return useMemo(
    (): GridColumn<Suppression>[] => [
      {
        id: 'address',
        header: t('suppressions:address'),
        cell: ({ address }) => (
          <Blurred what={t('suppressions:address')}>
            <span className="numeric">{address}</span>
          </Blurred>
        ),
        card: 'title',
      },
      {
        id: 'type',
        header: t('suppressions:covers'),
        cell: ({ type }) => (type ? t(`common:type.${type}`) : t('suppressions:allTypes')),
        width: 190,
        card: 'end',
      },
      {
        id: 'reason',
        header: t('suppressions:reasonLabel'),
        cell: ({ reason, SendingId }) =>
          SendingId && mayOpen ? (
            <Anchor component={Link} to={`/messages/outgoing?id=${SendingId}`} inherit>
              {t(`suppressions:reason.${reason}`)}
            </Anchor>
          ) : (
            t(`suppressions:reason.${reason}`)
          ),
        width: 230,
        card: 'note',
      },
      {
        id: 'note',
        header: t('suppressions:note'),
        cell: ({ note }) => note,
        hideBelow: 'lg',
        card: 'body',
      },
      timeColumn('createdAt', t('suppressions:since'), { width: 160, card: 'note' }),
    ],
    [t, mayOpen],
  );
}
