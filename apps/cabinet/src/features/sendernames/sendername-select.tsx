import { sendernames, type Sendername } from '@heliograph/contract';
import { Autocomplete, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import type { OptionSource } from '../../ui/async-options.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { NoSendernamesSection } from './no-sendernames-section.tsx';
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

/** The names of an account: approved ones, then the others, which are shown with their state and cannot be chosen. */
function sendernameSource(
  t: TFunction,
  type: Sendername['type'],
  OwnerId: string,
): OptionSource<Sendername> {
  return {
    noun: 'sendernames',
    params: [type, OwnerId],
    async find({ limit, search }, signal) {
      const find = (moderation: Sendername['moderation'][], size: number) =>
        api(sendernames.find, {
          query: {
            offset: 0,
            limit: size,
            search,
            order: [{ field: 'createdAt', direction: 'desc' }],
            filter: { type: [type], OwnerId, moderation },
            scope: [],
            range: {},
          },
          signal,
        });
      const approved = await find(['approved'], limit);
      const usable = approved.data.filter((row) => row.isActive);
      if (approved.data.length >= limit) return { data: usable };
      const others = await find(['pending', 'rejected'], limit - approved.data.length);
      return { data: [...usable, ...others.data] };
    },
    toOption: ({ name, moderation }) =>
      moderation === 'approved'
        ? { value: name, label: name }
        : {
            value: name,
            label: t('sendernames:select.state', {
              name,
              state: t(`sendernames:moderation.${moderation}`),
            }),
            disabled: true,
          },
  };
}
