import {
  INTEGRATION_KINDS,
  INTEGRATION_TYPES,
  integrations,
  type Integration,
} from '@heliograph/contract';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { SendernameSelect } from '../sendernames/sendername-select.tsx';
import type { IntegrationDraft } from './integrations.api.ts';

interface IntegrationFormProps<R> {
  row: Integration | null;
  submit: (body: IntegrationDraft) => Promise<R>;
  onDone: (result: R) => void;
  onClose: () => void;
}

const valuesOf = (row: Integration | null) => ({
  kind: row?.kind ?? ('crm' as Integration['kind']),
  title: row?.title ?? '',
  type: row?.type ?? ('sms' as Integration['type']),
  sender: row?.sender ?? '',
  portal: row?.portal ?? '',
  clientId: row?.clientId ?? '',
  clientSecret: '',
  recipient: row?.recipient ?? '',
  text: row?.text ?? '',
  key: row?.key ?? '',
});
type Values = ReturnType<typeof valuesOf>;

/** Only the fields of the kind. A secret that is not entered again is kept. */
function bodyOf(values: Values): IntegrationDraft {
  const { kind, title, type, sender, portal, clientId, clientSecret, recipient, text, key } =
    values;
  const common = { kind, title, type, sender };
  if (kind === 'crm') return { ...common, recipient, text, key: key || null };
  return {
    ...common,
    portal,
    clientId: clientId || null,
    ...(clientSecret && { clientSecret }),
  };
}

/** One form for both kinds, to create and to edit. */
export function IntegrationForm<R>({ row, submit, onDone, onClose }: IntegrationFormProps<R>) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: valuesOf(row),
    isEdit: !!row,
    schema: integrations.create.body,
    toBody: bodyOf,
    submit,
    onDone,
  });
  const { values } = form;
  const label = t(row ? 'integrations:save' : 'integrations:createSubmit');
  const plain = { autoComplete: 'off', spellCheck: false } as const;
  return (
    <ContractForm form={form} submit={label} onCancel={onClose}>
      <NativeSelect
        {...form.field('kind')}
        label={t('integrations:kindLabel')}
        description={t(`integrations:kindText.${values.kind}`)}
        disabled={!!row}
        data={INTEGRATION_KINDS.map((kind) => ({
          value: kind,
          label: t(`integrations:kind.${kind}`),
        }))}
        data-autofocus={row ? undefined : true}
      />
      <TextInput
        {...form.text('title')}
        label={t('integrations:name')}
        required
        autoComplete="off"
      />
      <NativeSelect
        {...form.field('type')}
        label={t('integrations:type')}
        data={INTEGRATION_TYPES.map((type) => ({ value: type, label: t(`type.${type}`) }))}
      />
      <SendernameSelect {...form.field('sender')} type={values.type} />
      {values.kind === 'crm' ? (
        <>
          <TextInput
            {...form.text('recipient')}
            {...plain}
            label={t('integrations:recipient')}
            description={t('integrations:recipientHint')}
            placeholder="client.phone"
            required
          />
          <Textarea
            {...form.text('text')}
            label={t('integrations:text')}
            description={t('integrations:textHint', { example: '{{ order.number }}' })}
            required
            autosize
            minRows={3}
          />
          <TextInput
            {...form.text('key')}
            {...plain}
            label={t('integrations:key')}
            description={t('integrations:keyHint')}
            placeholder="order.id"
          />
        </>
      ) : (
        <>
          <TextInput
            {...form.text('portal')}
            {...plain}
            inputMode="url"
            label={t('integrations:portal')}
            description={row ? t('integrations:portalFixed') : undefined}
            placeholder="https://example.bitrix24.ru"
            disabled={!!row}
            required
          />
          <TextInput
            {...form.text('clientId')}
            {...plain}
            label={t('integrations:clientId')}
            description={t('integrations:credentialsHint')}
            placeholder="local.…"
          />
          <TextInput
            {...form.text('clientSecret')}
            {...plain}
            label={t('integrations:clientSecret')}
            description={row?.hasClientSecret ? t('integrations:secretKept') : undefined}
          />
        </>
      )}
    </ContractForm>
  );
}
