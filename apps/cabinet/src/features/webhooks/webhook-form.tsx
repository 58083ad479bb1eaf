import {
  MAX_WEBHOOK_BATCH,
  MAX_WEBHOOK_CONNECTIONS,
  webhooks,
  type Webhook,
} from '@heliograph/contract';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_STATUSES, webhookVariables } from '@heliograph/domain';
import {
  Checkbox,
  Code,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Alert,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { bodyOf, initialValues, previewOf, type Preview } from './webhook-values.ts';
import type { WebhookDraft } from './webhooks.api.ts';

interface WebhookFormProps<R> {
  row: Webhook | null;
  readOnly?: boolean;
  submit: (body: WebhookDraft) => Promise<R>;
  onDone: (result: R) => void;
  onClose: () => void;
}

export function WebhookForm<R>({ row, readOnly, submit, onDone, onClose }: WebhookFormProps<R>) {
  const { t } = useTranslation();
  const form = useContractForm({
    initial: initialValues(row),
    isEdit: !!row,
    schema: webhooks.create.body,
    names: { 'successOn.status': 'status', 'successOn.body': 'answer' },
    toBody: bodyOf,
    blockedBy: ({ event, statuses }) =>
      event === 'sendings.status' && !statuses.length && t('webhooks:chooseStatus'),
    submit,
    onDone,
  });
  const { values } = form;
  const isPost = values.method === 'POST';
  const isMessages = values.event === 'sendings.status';
  const label = t(row ? 'webhooks:save' : 'webhooks:createSubmit');
  return (
    <ContractForm form={form} readOnly={readOnly} submit={label} onCancel={onClose}>
      <TextInput
        {...form.text('title')}
        label={t('webhooks:name')}
        required
        autoComplete="off"
        data-autofocus
      />
      <NativeSelect
        {...form.field('event')}
        label={t('webhooks:event')}
        description={row ? t('webhooks:eventFixed') : undefined}
        disabled={!!row}
        data={WEBHOOK_EVENT_NAMES.map((event) => ({
          value: event,
          label: t(`webhooks:events.${event.replace('.', '_')}`),
        }))}
      />
      {isMessages && (
        <Checkbox.Group
          label={t('webhooks:statuses')}
          value={values.statuses}
          onChange={(statuses) => form.set({ statuses: statuses as typeof values.statuses })}
        >
          <Group gap="md" mt={6}>
            {WEBHOOK_STATUSES.map((status) => (
              <Checkbox key={status} value={status} label={t(`common:status.${status}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <TextInput
        {...form.text('url')}
        type="text"
        inputMode="url"
        label={t('webhooks:url')}
        description={t('webhooks:urlHint', { example: '{{id}}' })}
        placeholder="https://shop.example/hooks"
        required
        autoComplete="off"
        spellCheck={false}
      />
      <NativeSelect
        {...form.field('method')}
        label={t('webhooks:method')}
        description={isPost ? undefined : t('webhooks:getHint')}
        data={['POST', 'GET']}
      />
      <Textarea
        {...form.field('headers')}
        label={t('webhooks:headers')}
        description={t('webhooks:headersHint')}
        placeholder="Authorization: Bearer …"
        autosize
        minRows={2}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
      />
      {isPost && (
        <Stack gap={6}>
          <SegmentedControl
            aria-label={t('webhooks:body')}
            value={values.isTemplate ? 'template' : 'standard'}
            onChange={(choice) => form.set({ isTemplate: choice === 'template' })}
            data={[
              { value: 'standard', label: t('webhooks:bodyStandard') },
              { value: 'template', label: t('webhooks:bodyTemplate') },
            ]}
          />
          {values.isTemplate && (
            <>
              <Textarea
                {...form.text('body')}
                label={t('webhooks:template')}
                placeholder={'{"id": "{{id}}"}'}
                autosize
                minRows={4}
                maxRows={14}
                spellCheck={false}
                styles={{ input: { fontFamily: 'monospace' } }}
              />
              <Text size="xs" c="dimmed">
                {t('webhooks:variables')}{' '}
                {webhookVariables(values.event).map((name) => (
                  <Code key={name} mr={4}>{`{{${name}}}`}</Code>
                ))}
              </Text>
            </>
          )}
        </Stack>
      )}
      <RequestPreview preview={previewOf(values)} method={values.method} />
      <Group grow align="flex-start">
        {isPost && !values.isTemplate && (
          <NumberField
            {...form.field('batchSize')}
            label={t('webhooks:batchSize')}
            description={t('webhooks:batchSizeHint')}
            scale={0}
            min={1}
            max={MAX_WEBHOOK_BATCH}
            value={values.batchSize}
            onChange={(size) => form.set({ batchSize: size })}
          />
        )}
        <NumberField
          {...form.field('maxConnections')}
          label={t('webhooks:maxConnections')}
          description={t('webhooks:maxConnectionsHint')}
          scale={0}
          min={1}
          max={MAX_WEBHOOK_CONNECTIONS}
          value={values.maxConnections}
          onChange={(count) => form.set({ maxConnections: count })}
        />
      </Group>
      <SuccessFields status={form.field('status')} answer={form.field('answer')} />
    </ContractForm>
  );
}

type Bound = object;

function SuccessFields({ status, answer }: { status: Bound; answer: Bound }) {
  const { t } = useTranslation();
  return (
    <Group grow align="flex-start">
      <TextInput
        {...status}
        label={t('webhooks:successStatus')}
        description={t('webhooks:successStatusHint')}
        placeholder="^2"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        {...answer}
        label={t('webhooks:successBody')}
        description={t('webhooks:successBodyHint')}
        placeholder="^OK"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
    </Group>
  );
}

interface RequestPreviewProps {
  preview: Preview;
  method: 'GET' | 'POST';
}

/** What is sent for an example of the event, as the form is now. */
function RequestPreview({ preview: { url, body, rule }, method }: RequestPreviewProps) {
  const { t } = useTranslation();
  const label = t('webhooks:preview');
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {rule && (
        <Alert color="orange" variant="light">
          {t(`errors:rule.${rule}`)}
        </Alert>
      )}
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ maxHeight: 260, overflow: 'auto', whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}
      >
        {`${method} ${url ?? '…'}${body === null ? '' : `\n\n${body}`}`}
      </Code>
    </Stack>
  );
}
