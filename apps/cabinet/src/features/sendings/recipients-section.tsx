import { Outcome } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { ListView } from '../../list/list-view.tsx';
import { useList } from '../../list/state/use-list.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { IconOutgoing } from '../../ui/icons.ts';
import { SendingDrawer } from './sending-drawer.tsx';
import { recipientSpec } from './sendings.api.ts';
import { useOutgoingColumns } from './use-outgoing-columns.tsx';

/** Columns that are the same for all recipients of a task. */
const COMMON = ['createdAt', 'sender', 'owner'];

interface RecipientsProps {
  groupId: string;
  title: string;
  tellsWhoClicked?: boolean;
}

/** The recipients of a task, each with its outcome; a row opens the message with all its attempts. */
export function RecipientsSection({ groupId, title, tellsWhoClicked = false }: RecipientsProps) {
  const { t } = useTranslation();
  const control = useListState(recipientSpec);
  const chosen = control.state.filters.outcome;
  // The filter by outcome returns one message of each recipient.
  const fixed = useMemo(() => ({ groupId, outcome: chosen ?? Outcome.options }), [groupId, chosen]);
  const list = useList(recipientSpec, control, fixed);
  const ids = useMemo(() => list.rows.map((row) => row.id), [list.rows]);
  const isOfFailures = chosen?.length === 1 && chosen[0] === 'failed';
  const all = useOutgoingColumns(isOfFailures);
  const columns = useMemo(() => all.filter(({ id }) => !COMMON.includes(id)), [all]);
  const fields: FilterField[] = [
    {
      kind: 'text',
      name: 'recipient',
      label: t('sendings:recipient'),
      placeholder: t('sendings:recipientHint'),
    },
    manyField('outcome', t('sendings:outcomeLabel'), Outcome.options, (value) =>
      t(`sendings:outcome.${value}`),
    ),
    ...(tellsWhoClicked
      ? [
          {
            kind: 'one' as const,
            name: 'clicked',
            label: t('sendings:clicks.label'),
            options: [
              { value: 'true', label: t('sendings:clicks.yes') },
              { value: 'false', label: t('sendings:clicks.no') },
            ],
          },
        ]
      : []),
  ];
  return (
    <>
      <ListView
        page={{ control, list }}
        caption={title}
        fields={fields}
        columns={columns}
        empty={{ icon: IconOutgoing, title: t('sendings:noRecipients') }}
      />
      <SendingDrawer ids={ids} />
    </>
  );
}
