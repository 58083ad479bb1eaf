import {
  LEVELS,
  MAX_SYSTEM_ACCOUNTS,
  SYSTEM_MESSAGE_TYPES,
  systemMessages,
  type Level,
} from '@heliograph/contract';
import { parseRichText } from '@heliograph/domain';
import { Fieldset, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ContractForm } from '../../core/forms/contract-form.tsx';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { ownerSource } from '../../core/owners.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { AsyncMultiSelect } from '../../ui/async-multi-select.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { useSendSystemMessage } from './system-messages.api.ts';

type To = 'all' | 'own' | 'level' | 'accounts';

function audienceOf(to: To, level: Level, accounts: string[]) {
  if (to === 'level') return { to, level };
  return to === 'accounts' ? { to, accounts } : { to };
}

/** A message to accounts. The preview shows what of its HTML is sent. */
export function SystemMessageForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const isAdministrator = useCan()('users.all');
  const { mutateAsync } = useSendSystemMessage();
  const targets: To[] = [...(isAdministrator ? ['all' as const] : []), 'own', 'level', 'accounts'];
  const form = useContractForm({
    initial: {
      type: 'SystemPlatformIssues' as (typeof SYSTEM_MESSAGE_TYPES)[number],
      title: '',
      operator: '',
      text: '',
      to: targets[0]!,
      level: 'me' as Level,
      accounts: [] as string[],
    },
    schema: systemMessages.create.body,
    names: { 'audience.accounts': 'accounts', 'audience.level': 'level', audience: 'to' },
    toBody: ({ type, title, operator, text, to, level, accounts }) => ({
      type,
      title: title.trim(),
      text: text.trim(),
      ...(type === 'SystemRouteIssues' && operator.trim() && { operator: operator.trim() }),
      audience: audienceOf(to, level, accounts),
    }),
    submit: mutateAsync,
    onDone(_, { title }) {
      showSuccess(t('systemMessages:sent', { title: title.trim() }));
      onClose();
    },
  });
  const { type, text, to, accounts } = form.values;
  return (
    <ContractForm form={form} submit={t('systemMessages:send')} onCancel={onClose}>
      <NativeSelect
        {...form.field('type')}
        label={t('systemMessages:type')}
        data={SYSTEM_MESSAGE_TYPES.map((value) => ({
          value,
          label: t(`notifications:types.${value}.title`),
        }))}
      />
      {type === 'SystemRouteIssues' && (
        <TextInput
          {...form.text('operator')}
          label={t('systemMessages:operator')}
          autoComplete="off"
        />
      )}
      <TextInput
        {...form.text('title')}
        label={t('systemMessages:name')}
        required
        autoComplete="off"
      />
      <Textarea
        {...form.text('text')}
        label={t('systemMessages:text')}
        description={t('systemMessages:textHint')}
        required
        autosize
        minRows={4}
        maxRows={14}
      />
      {text.trim() && (
        <Fieldset legend={t('systemMessages:preview')}>
          <RichText nodes={parseRichText(text)} />
        </Fieldset>
      )}
      <NativeSelect
        {...form.field('to')}
        label={t('systemMessages:to')}
        data={targets.map((value) => ({ value, label: t(`systemMessages:audience.${value}`) }))}
      />
      {to === 'level' && (
        <NativeSelect
          {...form.field('level')}
          label={t('systemMessages:levelLabel')}
          data={LEVELS.map((value) => ({ value, label: t(`systemMessages:level.${value}`) }))}
        />
      )}
      {to === 'accounts' && (
        <AsyncMultiSelect
          {...form.field('accounts')}
          value={accounts}
          label={t('systemMessages:accounts')}
          source={ownerSource()}
          maxValues={MAX_SYSTEM_ACCOUNTS}
        />
      )}
      <Text size="xs" c="dimmed">
        {t('systemMessages:hint')}
      </Text>
    </ContractForm>
  );
}
