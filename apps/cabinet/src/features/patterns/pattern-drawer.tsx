import { patterns, SendingType, type Pattern, type TrafficGroup } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useSeesOwners } from '../../core/owners.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { patternQuery, useCreatePattern, useUpdatePattern } from './patterns.api.ts';

export function PatternDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={patternQuery}
      mayCreate={can('patterns.create')}
      size={600}
      createTitle={t('patterns:createTitle')}
      title={(row) => row?.title ?? t('patterns:detail')}
      failed={t('patterns:detailFailed')}
    >
      {(row, onClose) => (
        <PatternForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('patterns.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}

interface PatternFormProps {
  row: Pattern | null;
  readOnly: boolean;
  onClose: () => void;
}

const TYPED = { autoComplete: 'off', spellCheck: false } as const;

/** Registers a pattern for an account, or changes it: the account stays. */
function PatternForm({ row, readOnly, onClose }: PatternFormProps) {
  const { t } = useTranslation();
  const seesOwners = useSeesOwners();
  const create = useCreatePattern();
  const update = useUpdatePattern(row?.id ?? '');
  const form = useContractForm({
    initial: {
      OwnerId: row?.OwnerId ?? null,
      title: row?.title ?? '',
      type: row?.type ?? ('sms' as SendingType),
      text: row?.text ?? '',
      group: row?.group ?? ('service' as TrafficGroup),
      sender: row?.sender ?? '',
      mccmnc: row?.mccmnc ?? '',
    },
    isEdit: !!row,
    schema: row ? patterns.update.body : patterns.create.body,
    toBody: ({ OwnerId, title, sender, mccmnc, ...values }) => ({
      ...values,
      title: title.trim(),
      sender: sender.trim() || null,
      mccmnc: mccmnc.trim() || null,
      ...(!row && { OwnerId: OwnerId! }),
    }),
    submit: ({ OwnerId, ...body }) =>
      OwnerId ? create.mutateAsync({ ...body, OwnerId }) : update.mutateAsync(body),
    onDone(_, { title }) {
      showSuccess(t('patterns:saved', { title: title.trim() }));
      onClose();
    },
  });
  const submit = t(row ? 'patterns:save' : 'patterns:createSubmit');
  return (
    <ContractForm form={form} readOnly={readOnly} submit={submit} onCancel={onClose}>
      {seesOwners && (
        <OwnerSelect
          {...form.field('OwnerId')}
          value={form.values.OwnerId}
          label={t('patterns:owner')}
          required={!row}
          disabled={!!row}
        />
      )}
      <TextInput {...form.text('title')} {...TYPED} label={t('patterns:name')} required />
      <NativeSelect
        {...form.field('type')}
        label={t('patterns:type')}
        data={SendingType.options.map((value) => ({ value, label: t(`common:type.${value}`) }))}
      />
      <Textarea
        {...form.text('text')}
        {...TYPED}
        label={t('patterns:text')}
        description={t('patterns:textHint')}
        required
        autosize
        minRows={3}
      />
      <NativeSelect
        {...form.field('group')}
        label={t('patterns:group')}
        description={t('patterns:groupHint')}
        data={TRAFFIC_GROUPS.map((value) => ({ value, label: t(`common:group.${value}`) }))}
      />
      <TextInput
        {...form.text('sender')}
        {...TYPED}
        label={t('patterns:sender')}
        description={t('patterns:senderHint')}
      />
      <TextInput
        {...form.text('mccmnc')}
        {...TYPED}
        label={t('patterns:network')}
        description={t('patterns:networkHint')}
      />
    </ContractForm>
  );
}
