import { Autocomplete, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { NoSendernamesSection } from './no-sendernames-section.tsx';
import { sendernameSource } from './sendername-source.ts';
import { approvedQuery, sendernameKind } from './sendernames.api.ts';

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
}

/** The sender of a message: an approved name where sender names are moderated, free text otherwise. */
export function SendernameSelect(props: SendernameSelectProps) {
  const { type, value = '', onChange, error, name } = props;
  const { t } = useTranslation();
  const { sendings, session } = useSettings();
  const isChecked = (sendings.sendernamesCheck as string[]).includes(type);
  const mayRead = useCan()('sendernames.get');
  const OwnerId = props.OwnerId ?? session.OwnerId;
  const kind = sendernameKind(type);
  const { data } = useQuery({ ...approvedQuery(type, OwnerId), enabled: mayRead });
  const approved = data?.data.filter((row) => row.isActive) ?? [];
  const common = {
    label: t('sendernames:select.label'),
    required: true,
    error,
    name,
    'data-path': props['data-path'],
  };
  if (!mayRead) {
    return (
      <TextInput
        {...common}
        value={value}
        maxLength={150}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  }
  if (!isChecked) {
    return (
      <Autocomplete
        {...common}
        value={value}
        maxLength={150}
        onChange={onChange}
        data={[...new Set(approved.map((row) => row.name))]}
        // Inside the dialog of the field, if there is one: outside of it the options could not be clicked.
        comboboxProps={{ withinPortal: false, keepMounted: false }}
      />
    );
  }
  return (
    <div>
      <AsyncSelect
        {...common}
        value={value || null}
        onChange={(next) => onChange(next ?? '')}
        source={sendernameSource(t, kind, OwnerId)}
        placeholder={t('sendernames:select.choose')}
        clearable={false}
      />
      <NoSendernamesSection type={type} OwnerId={OwnerId} />
    </div>
  );
}
