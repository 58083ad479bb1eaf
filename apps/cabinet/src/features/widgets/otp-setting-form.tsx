import { OtpChannelType } from '@heliograph/contract';
import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import type { BoundField } from '../../core/forms/form-state.ts';
import type { ContractFormState } from '../../core/forms/use-contract-form.tsx';

interface OtpSettingFormProps {
  form: ContractFormState & { field: (path: string) => BoundField };
  isNew: boolean;
  readOnly?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The form of channel settings or of a message template: the name, the type, which stays, and the buttons. */
export function OtpSettingForm(props: OtpSettingFormProps) {
  const { form, isNew, readOnly, onClose, children } = props;
  const { t } = useTranslation();
  const submit = t(isNew ? 'widgets:createSubmit' : 'widgets:save');
  return (
    <ContractForm form={form} readOnly={readOnly} submit={submit} onCancel={onClose}>
      <TextInput
        {...form.field('name')}
        label={t('widgets:name')}
        required
        maxLength={50}
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        {...form.field('channelType')}
        label={t('widgets:type')}
        description={isNew ? undefined : t('widgets:typeFixed')}
        disabled={!isNew}
        data={OtpChannelType.options.map((value) => ({ value, label: t(`common:type.${value}`) }))}
      />
      {children}
    </ContractForm>
  );
}
