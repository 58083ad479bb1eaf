import { messageRuleGroups, SendingType, type MessageRuleGroup } from '@heliograph/contract';
import { Checkbox, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { messageRuleGroupQuery, useSaveMessageRuleGroup } from './account-groups.api.ts';
import {
  GroupDrawer,
  GroupFormFrame,
  useGroupSaved,
  type GroupFormProps,
} from './group-drawer.tsx';

export const MessageRuleGroupDrawer = () => (
  <GroupDrawer noun="messageRuleGroups" query={messageRuleGroupQuery}>
    {(props) => <MessageRuleGroupForm key={props.row?.id ?? 'new'} {...props} />}
  </GroupDrawer>
);

interface RuleValues {
  title: string;
  isLimited: boolean;
  types: SendingType[];
  checked: SendingType[];
}

const NAMES = { 'rules.types': 'types', 'rules.sendernamesCheck': 'checked' };

const toBody = ({ title, isLimited, types, checked }: RuleValues) => ({
  title: title.trim(),
  rules: {
    types: isLimited ? types : null,
    sendernamesCheck: checked.length > 0 ? checked : null,
  },
});

function MessageRuleGroupForm({ row, onClose }: GroupFormProps<MessageRuleGroup>) {
  const { t } = useTranslation();
  const { mutateAsync } = useSaveMessageRuleGroup(row?.id);
  const form = useContractForm({
    initial: {
      title: row?.title ?? '',
      isLimited: !!row?.rules.types,
      types: row?.rules.types ?? ([] as SendingType[]),
      checked: row?.rules.sendernamesCheck ?? ([] as SendingType[]),
    },
    isEdit: !!row,
    schema: messageRuleGroups.create.body,
    names: NAMES,
    toBody,
    submit: mutateAsync,
    onDone: useGroupSaved(onClose),
  });
  const { isLimited, types } = form.values;
  const boxes = (
    <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" mt="xs">
      {SendingType.options.map((value) => (
        <Checkbox key={value} value={value} label={t(`common:type.${value}`)} />
      ))}
    </SimpleGrid>
  );
  return (
    <GroupFormFrame noun="messageRuleGroups" isNew={!row} form={form} onClose={onClose}>
      <Checkbox
        {...form.field('isLimited', { type: 'checkbox' })}
        label={t('accountGroups:limit')}
      />
      {isLimited && (
        <Checkbox.Group {...form.field('types')} label={t('accountGroups:types')}>
          {boxes}
        </Checkbox.Group>
      )}
      {isLimited && types.length === 0 && (
        <Text size="sm" role="status">
          {t('accountGroups:noTypes')}
        </Text>
      )}
      <Checkbox.Group
        {...form.field('checked')}
        label={t('accountGroups:checks')}
        description={t('accountGroups:checksHint')}
      >
        {boxes}
      </Checkbox.Group>
    </GroupFormFrame>
  );
}
