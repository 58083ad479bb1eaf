import { sendernames, SendernameType } from '@heliograph/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { listSpec, manyOf } from '../../list/list-spec.ts';
import { findQuery } from '../../list/use-list.ts';

const spec = listSpec(sendernames.find, {
  filters: { type: manyOf(SendernameType.options) },
  order: ['createdAt'],
});

interface SendernameSelectProps {
  type: string;
  value: string;
  onChange: (name: string) => void;
  error?: ReactNode;
}

/** Who a message is from: an approved name where the account's types are checked, free text for the others. */
export function SendernameSelect({ type, value, onChange, error }: SendernameSelectProps) {
  const { t } = useTranslation();
  const isChecked = (useSettings().sendings.sendernamesCheck as string[]).includes(type);
  const mayRead = useCan()('sendernames.get');
  const { data, isPending } = useQuery({
    ...findQuery(spec, {
      offset: 0,
      limit: 200,
      order: [{ field: 'name', direction: 'asc' }],
      scope: [],
      filter: { type: [type], moderation: ['approved'] },
    }),
    enabled: isChecked && mayRead,
  });
  const common = { label: t('sendernames:select.label'), required: true, value, error };
  if (!isChecked || !mayRead) {
    return (
      <TextInput
        {...common}
        maxLength={150}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const names = (data?.data ?? []).filter((row) => row.isActive !== false).map((row) => row.name);
  return (
    <NativeSelect
      {...common}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        {
          value: '',
          label: isPending ? t('sendernames:select.loading') : t('sendernames:select.choose'),
        },
        ...names,
      ]}
      description={!isPending && names.length === 0 ? t('sendernames:select.none') : undefined}
    />
  );
}
