import { MultiSelect, NativeSelect, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { OwnerSelect } from '../../ui/owner-select.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import { tariffSource } from '../tariffs/catalogue.api.ts';
import { KINDS, partsOf, wrongIn, type ChangeValues, type Kind } from './account-change-values.ts';
import { ChangeResults } from './change-results.tsx';
import { useChangeAccounts, type ChangedAccounts, type Changing } from './users.api.ts';

interface ChangeAccountsProps {
  /** The accounts, or the request of the list that finds them. Null closes the dialog. */
  of: Changing | null;
  /** How many are meant, as it is shown: "20", "120 rows". */
  count: string;
  onClose: () => void;
}

/** One change of many accounts, and what became of each. */
export function ChangeAccounts({ of, count, onClose }: ChangeAccountsProps) {
  const { t } = useTranslation();
  const last = useLast(of, !!of);
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<ChangedAccounts | null>(null);
  const close = () => {
    setDone(null);
    onClose();
  };
  return (
    <Dialog
      opened={!!of}
      onClose={close}
      busy={busy}
      title={t('users:many.title', { count })}
      size={600}
    >
      {done ? (
        <ChangeResults done={done} onClose={close} />
      ) : (
        last && <ChangeForm of={last} onBusy={setBusy} onDone={setDone} onClose={close} />
      )}
    </Dialog>
  );
}

interface ChangeFormProps {
  of: Changing;
  onBusy: (isBusy: boolean) => void;
  onDone: (done: ChangedAccounts) => void;
  onClose: () => void;
}

function useKinds(): Kind[] {
  const can = useCan();
  const may: Record<Kind, boolean> = {
    suspend: can('users.suspend', 'resellerUp'),
    resume: can('users.suspend', 'resellerUp'),
    tariff: can('tariffs.update', 'resellerUp'),
    overdraft: true,
    types: true,
    manager: can('users.all', 'managerUp'),
    test: true,
    caps: can('spendCaps.update'),
  };
  return KINDS.filter((kind) => may[kind]);
}

function ChangeForm({ of, onBusy, onDone, onClose }: ChangeFormProps) {
  const { t } = useTranslation();
  const kinds = useKinds();
  const { sendings } = useSettings();
  const formats = useFormats();
  const [sofar, setSofar] = useState(0);
  const { mutateAsync } = useChangeAccounts(setSofar);
  const form = useContractForm({
    initial: {
      kind: kinds[0]!,
      reason: '',
      overdraft: null,
      types: [],
      ManagerId: null,
      isTest: 'true',
      tariff: null,
      day: null,
      month: null,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    } as ChangeValues,
    check: wrongIn,
    toBody: partsOf,
    repeats: true,
    async submit(parts) {
      onBusy(true);
      return mutateAsync({ of, parts }).finally(() => onBusy(false));
    },
    onDone,
  });
  const { values } = form;
  return (
    <ContractForm form={form} submit={t('users:many.submit')} onCancel={onClose}>
      <NativeSelect
        {...form.field('kind')}
        label={t('users:many.what')}
        data={kinds.map((value) => ({ value, label: t(`users:many.kind.${value}`) }))}
      />
      {values.kind === 'suspend' && (
        <Textarea
          {...form.field('reason')}
          label={t('users:suspension.reason')}
          description={t('users:suspension.reasonHint')}
          maxLength={500}
          autosize
          minRows={2}
          required
        />
      )}
      {values.kind === 'tariff' && (
        <AsyncSelect
          {...form.field('tariff')}
          source={tariffSource}
          value={values.tariff}
          label={t('users:assign.tariff')}
          description={t('users:many.tariffHint')}
        />
      )}
      {values.kind === 'overdraft' && (
        <NumberField
          {...form.field('overdraft')}
          value={values.overdraft}
          label={t('users:overdraft')}
          description={t('users:many.overdraftHint')}
          min={0}
          required
        />
      )}
      {values.kind === 'types' && (
        <MultiSelect
          {...form.field('types')}
          label={t('users:many.types')}
          description={t('users:many.typesHint')}
          data={sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
          clearable
        />
      )}
      {values.kind === 'manager' && (
        <OwnerSelect
          {...form.field('ManagerId')}
          value={values.ManagerId}
          label={t('users:manager')}
          description={t('users:many.managerHint')}
          level="manager"
        />
      )}
      {values.kind === 'test' && (
        <NativeSelect
          {...form.field('isTest')}
          label={t('users:isTest')}
          description={t('users:account.testHint')}
          data={[
            { value: 'true', label: t('users:many.on') },
            { value: 'false', label: t('users:many.off') },
          ]}
        />
      )}
      {values.kind === 'caps' && (
        <>
          <NumberField
            {...form.field('day')}
            value={values.day}
            label={t('users:many.day')}
            description={t('users:many.capHint')}
            min={0}
          />
          <NumberField
            {...form.field('month')}
            value={values.month}
            label={t('users:many.month')}
            min={0}
          />
          <ZoneSelect {...form.field('timeZone')} label={t('users:many.timeZone')} />
        </>
      )}
      <Text size="sm" c="dimmed" role="status">
        {form.isPending &&
          sofar > 0 &&
          t('users:many.sofar', { count: sofar, number: formats.number(sofar) })}
      </Text>
    </ContractForm>
  );
}
