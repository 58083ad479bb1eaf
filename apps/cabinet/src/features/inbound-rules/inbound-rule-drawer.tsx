import {
  inboundRules,
  type InboundRule,
  contactLists,
  webhooks,
  type ContactList,
  type Webhook,
} from '@heliograph/contract';
import {
  INBOUND_ACTIONS,
  INBOUND_MODES,
  MAX_INBOUND_REPLY,
  MAX_REPLY_MINUTES,
} from '@heliograph/domain';
import {
  Checkbox,
  Fieldset,
  MultiSelect,
  NativeSelect,
  Radio,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../core/api.ts';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { FormFooter } from '../../core/forms/form-footer.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useCan, useSettings } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import type { OptionSource } from '../../ui/async-options.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { RowDialog } from '../../ui/row-dialog.tsx';
import { VariableArea, VariableButton, type VariableAreaHandle } from '../../ui/variable-area.tsx';
import { bodyOf, initialValues, type RuleValues } from './inbound-rule-values.ts';
import {
  inboundRuleQuery,
  useCreateInboundRule,
  useUpdateInboundRule,
} from './inbound-rules.api.ts';

export function InboundRuleDrawer() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <RowDialog
      query={inboundRuleQuery}
      mayCreate={can('inboundRules.create')}
      size={600}
      createTitle={t('inboundRules:createTitle')}
      title={(row) => row?.title ?? t('inboundRules:detail')}
      failed={t('inboundRules:detailFailed')}
    >
      {(row, onClose) => (
        <InboundRuleForm
          key={row?.id}
          row={row}
          readOnly={!!row && !can('inboundRules.update')}
          onClose={onClose}
        />
      )}
    </RowDialog>
  );
}

interface InboundRuleFormProps {
  row: InboundRule | null;
  readOnly?: boolean;
  onClose: () => void;
}

function InboundRuleForm({ row, readOnly, onClose }: InboundRuleFormProps) {
  const { t } = useTranslation();
  const can = useCan();
  const { sendings, session } = useSettings();
  const OwnerId = row?.OwnerId ?? session.OwnerId;
  const create = useCreateInboundRule();
  const update = useUpdateInboundRule(row?.id ?? '');
  const area = useRef<VariableAreaHandle>(null);
  const form = useContractForm({
    initial: initialValues(row),
    schema: inboundRules.create.body,
    isEdit: !!row,
    toBody: bodyOf,
    blockedBy: ({ actions }) => !actions.length && t('inboundRules:chooseAction'),
    submit: ({ isActive: _, ...body }) =>
      row ? update.mutateAsync(body) : create.mutateAsync(body),
    onDone(_, { title }) {
      showSuccess(t('inboundRules:saved', { title: title.trim() }));
      onClose();
    },
  });
  const { values } = form;
  const has = (action: RuleValues['actions'][number]) => values.actions.includes(action);
  const { value: ___, onChange: ____, ...reply } = form.field('replyText');
  return (
    <ContractForm
      form={form}
      readOnly={readOnly}
      footer={
        <FormFooter
          form={form}
          submit={t(row ? 'inboundRules:save' : 'inboundRules:createSubmit')}
          onCancel={onClose}
        />
      }
    >
      <TextInput
        {...form.text('title')}
        label={t('inboundRules:name')}
        required
        autoComplete="off"
        data-autofocus
      />
      <Fieldset legend={t('inboundRules:when')}>
        <Stack gap="sm">
          <NativeSelect
            {...form.field('mode')}
            label={t('inboundRules:modeLabel')}
            data={INBOUND_MODES.map((value) => ({ value, label: t(`inboundRules:mode.${value}`) }))}
          />
          {values.mode !== 'any' && (
            <Textarea
              {...form.field('keywords')}
              label={t('inboundRules:keywords')}
              description={t('inboundRules:keywordsHint')}
              required
              autosize
              minRows={2}
              maxRows={8}
              autoComplete="off"
            />
          )}
          <MultiSelect
            {...form.field('types')}
            label={t('inboundRules:types')}
            placeholder={values.types.length ? undefined : t('inboundRules:allTypes')}
            data={sendings.types.map((value) => ({ value, label: t(`common:type.${value}`) }))}
            clearable
            comboboxProps={{ withinPortal: false }}
          />
          <TextInput
            {...form.text('sender')}
            label={t('inboundRules:sender')}
            description={t('inboundRules:senderHint')}
            autoComplete="off"
            spellCheck={false}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('inboundRules:then')}>
        <Stack gap="sm">
          <Checkbox.Group
            aria-label={t('inboundRules:then')}
            value={values.actions}
            onChange={(actions) => form.set({ actions: actions as RuleValues['actions'] })}
          >
            <Stack gap="xs">
              {INBOUND_ACTIONS.map((action) => (
                <Checkbox
                  key={action}
                  value={action}
                  label={t(`inboundRules:action.${action}`)}
                  description={t(`inboundRules:actionHint.${action}`)}
                  disabled={readOnly}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          {has('reply') && (
            <>
              <VariableArea
                {...reply}
                ref={area}
                value={values.replyText}
                onType={(replyText) => form.set({ replyText })}
                onPut={(replyText) => form.set({ replyText })}
                label={t('inboundRules:replyText')}
                description={t('inboundRules:replyTextHint')}
                required
                maxLength={MAX_INBOUND_REPLY}
              />
              <div>
                <VariableButton onClick={() => area.current?.openMenu()} />
              </div>
              <NumberField
                {...form.field('replyMinutes')}
                value={values.replyMinutes}
                onChange={(replyMinutes) => form.set({ replyMinutes })}
                label={t('inboundRules:replyMinutes')}
                description={t('inboundRules:replyMinutesHint')}
                required
                scale={0}
                min={1}
                max={MAX_REPLY_MINUTES}
              />
            </>
          )}
          {has('list') && (
            <>
              <AsyncSelect
                {...form.field('ListId')}
                source={listSource(OwnerId)}
                value={values.ListId}
                label={t('inboundRules:list')}
                empty={t('inboundRules:noLists')}
                required
                disabled={!can('contactLists.get')}
              />
              <Radio.Group {...form.field('listChange')} label={t('inboundRules:listChange.label')}>
                <Stack gap="xs" mt="xs">
                  <Radio value="add" label={t('inboundRules:listChange.add')} />
                  <Radio value="remove" label={t('inboundRules:listChange.remove')} />
                </Stack>
              </Radio.Group>
            </>
          )}
          {has('webhook') && (
            <AsyncSelect
              {...form.field('WebhookId')}
              source={webhookSource(OwnerId)}
              value={values.WebhookId}
              label={t('inboundRules:webhook')}
              description={t('inboundRules:webhookHint')}
              empty={t('inboundRules:noWebhooks')}
              required
              disabled={!can('webhooks.get')}
            />
          )}
        </Stack>
      </Fieldset>
      <Switch
        {...form.field('isContinued', { type: 'checkbox' })}
        label={t('inboundRules:isContinued')}
        description={t('inboundRules:isContinuedHint')}
      />
    </ContractForm>
  );
}

/** The webhooks of an account to which a rule can give messages. */
const webhookSource = (OwnerId: string): OptionSource<Webhook> => ({
  noun: 'webhooks',
  params: ['inboundRules', OwnerId],
  find: ({ limit, search }, signal) =>
    api(webhooks.find, {
      query: {
        limit,
        search,
        order: [{ field: 'title', direction: 'asc' }],
        filter: { OwnerId, event: ['inboundRules.matched'], state: ['active', 'paused'] },
      },
      signal,
    }),
  get: (id, signal) => api(webhooks.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});

const listSource = (OwnerId: string): OptionSource<ContactList> => ({
  noun: 'contactLists',
  params: ['inboundRules', OwnerId],
  find: ({ limit, search }, signal) =>
    api(contactLists.find, {
      query: { limit, search, order: [{ field: 'title', direction: 'asc' }], filter: { OwnerId } },
      signal,
    }),
  get: (id, signal) => api(contactLists.get, { params: { id }, query: {}, signal }),
  toOption: ({ id, title }) => ({ value: id, label: title }),
});
