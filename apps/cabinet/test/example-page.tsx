import { patterns, SendingType, type TrafficGroup } from '@heliograph/contract';
import { TRAFFIC_GROUPS } from '@heliograph/domain';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ContractForm } from '../src/core/forms/contract-form.tsx';
import { useContractForm } from '../src/core/forms/use-contract-form.tsx';
import { sendBody } from '../src/core/row-calls.ts';
import { OwnerSelect } from '../src/ui/owner-select.tsx';

const useCreate = sendBody(patterns.create, 'patterns');

/** The page of docs/how-to/add-a-form-page.md: five fields. */
export function ExamplePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mutateAsync } = useCreate();
  const form = useContractForm({
    initial: {
      OwnerId: null as string | null,
      title: '',
      type: 'sms' as SendingType,
      text: '',
      group: 'service' as TrafficGroup,
    },
    schema: patterns.create.body,
    toBody: (values) => ({ ...values, OwnerId: values.OwnerId! }),
    submit: mutateAsync,
    onDone: () => void navigate('/there'),
  });
  return (
    <ContractForm form={form} submit={t('patterns:createSubmit')}>
      <OwnerSelect
        {...form.field('OwnerId')}
        value={form.values.OwnerId}
        label={t('patterns:owner')}
      />
      <TextInput {...form.text('title')} label={t('patterns:name')} required />
      <NativeSelect {...form.field('type')} label={t('patterns:type')} data={SendingType.options} />
      <Textarea {...form.field('text')} label={t('patterns:text')} required autosize />
      <NativeSelect {...form.field('group')} label={t('patterns:group')} data={TRAFFIC_GROUPS} />
    </ContractForm>
  );
}
