import { Anchor, Autocomplete, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { sendernameSpec } from './sendernames.api.ts';

interface SendernameSelectProps {
  type: string;
  /** Whose names: the account's own, unless another one sends. */
  OwnerId?: string;
  value?: string;
  onChange: (name: string) => void;
  error?: ReactNode;
  name?: string;
  /** Where a form finds the field. */
  'data-path'?: string;
  /** Selects the name by itself when only one is approved. */
  chooses?: boolean;
}

/** The sender of a message: an approved name where sender names are moderated, free text otherwise. */
export function SendernameSelect(props: SendernameSelectProps) {
  const { type, value = '', onChange, error, name, chooses } = props;
  const { t } = useTranslation();
  const { sendings, session } = useSettings();
  const isChecked = (sendings.sendernamesCheck as string[]).includes(type);
  const mayRead = useCan()('sendernames.get');
  // Calls have numbers; every other channel has names.
  const kind = type === 'voice' ? 'voice' : 'sms';
  const { data, isPending } = useQuery({
    ...findQuery(sendernameSpec, {
      limit: 200,
      order: [{ field: 'name', direction: 'asc' }],
      filter: { type: [kind], OwnerId: props.OwnerId ?? session.OwnerId },
    }),
    enabled: mayRead,
  });
  const rows = data?.data ?? [];
  const approved = rows.filter((row) => row.moderation === 'approved' && row.isActive);
  const only = chooses && !value && approved.length === 1 ? approved[0]!.name : null;
  const taken = useRef('');
  useEffect(() => {
    // Once for a channel, so that a field that the user emptied stays empty.
    if (!only || (taken.current === type && !isChecked)) return;
    taken.current = type;
    onChange(only);
  });
  const common = {
    label: t('sendernames:select.label'),
    required: true,
    value,
    error,
    name,
    'data-path': props['data-path'],
  };
  if (!mayRead) {
    return (
      <TextInput {...common} maxLength={150} onChange={(e) => onChange(e.currentTarget.value)} />
    );
  }
  if (!isChecked) {
    return (
      <Autocomplete
        {...common}
        maxLength={150}
        onChange={onChange}
        data={[...new Set(approved.map((row) => row.name))]}
        // Inside the dialog of the field, if there is one: outside of it the options could not be clicked.
        comboboxProps={{ withinPortal: false, keepMounted: false }}
      />
    );
  }
  const isForeign = !!value && !rows.some((row) => row.name === value);
  const first = isPending ? t('sendernames:select.loading') : t('sendernames:select.choose');
  return (
    <div>
      <NativeSelect
        {...common}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          { value: '', label: first },
          ...approved.map((row) => ({ value: row.name, label: row.name })),
          // Brought along by a link, a template or a draft, and none of the account's.
          ...(isForeign ? [{ value, label: value, disabled: true }] : []),
          // Names that wait or were refused are shown with their state, and cannot be chosen.
          ...rows
            .filter((row) => row.moderation !== 'approved')
            .map((row) => ({
              value: row.name,
              label: t('sendernames:select.state', {
                name: row.name,
                state: t(`sendernames:moderation.${row.moderation}`),
              }),
              disabled: true,
            })),
        ]}
      />
      {!isPending && approved.length === 0 && (
        <Text size="sm" mt={4} role="status">
          {t('sendernames:select.none')}{' '}
          <Anchor component={Link} to={`/settings/sendernames?create=${kind}`} inherit>
            {t('sendernames:select.request')}
          </Anchor>
        </Text>
      )}
    </div>
  );
}
