import { SendingType, type MessageRuleGroup } from '@heliograph/contract';
import { Checkbox, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormErrors } from '../../core/use-form-errors.ts';
import { messageRuleGroupQuery, useSaveMessageRuleGroup } from './account-groups.api.ts';
import { GroupDrawer, GroupFrame, type GroupFormProps } from './group-drawer.tsx';

export const MessageRuleGroupDrawer = () => (
  <GroupDrawer noun="messageRuleGroups" query={messageRuleGroupQuery}>
    {(props) => <MessageRuleGroupForm key={props.row?.id ?? 'new'} {...props} />}
  </GroupDrawer>
);

const FIELDS = ['title', 'rules.types', 'rules.sendernamesCheck'];

function MessageRuleGroupForm({ row, onClose }: GroupFormProps<MessageRuleGroup>) {
  const { t } = useTranslation();
  const split = useFormErrors();
  const { mutate, isPending, error } = useSaveMessageRuleGroup(row?.id);
  const { byField, rest } = error ? split(error, FIELDS) : { byField: {}, rest: null };
  const [isLimited, setLimited] = useState(!!row?.rules.types);
  const [types, setTypes] = useState<SendingType[]>(row?.rules.types ?? []);
  const [checked, setChecked] = useState<SendingType[]>(row?.rules.sendernamesCheck ?? []);
  const boxes = (
    <SimpleGrid cols={{ base: 2, xs: 3 }} spacing="xs" mt="xs">
      {SendingType.options.map((value) => (
        <Checkbox key={value} value={value} label={t(`common:type.${value}`)} />
      ))}
    </SimpleGrid>
  );
  return (
    <GroupFrame
      noun="messageRuleGroups"
      isNew={!row}
      title={row?.title ?? ''}
      isPending={isPending}
      error={byField.title}
      rest={rest}
      onClose={onClose}
      onSave={(title, onSuccess) =>
        mutate(
          {
            title,
            rules: {
              ...(isLimited && { types }),
              ...(checked.length > 0 && { sendernamesCheck: checked }),
            },
          },
          { onSuccess },
        )
      }
    >
      <Checkbox
        label={t('accountGroups:limit')}
        checked={isLimited}
        onChange={(event) => setLimited(event.currentTarget.checked)}
      />
      {isLimited && (
        <Checkbox.Group
          label={t('accountGroups:types')}
          value={types}
          onChange={(chosen) => setTypes(chosen as SendingType[])}
          error={byField['rules.types']}
        >
          {boxes}
        </Checkbox.Group>
      )}
      {isLimited && types.length === 0 && (
        <Text size="sm" role="status">
          {t('accountGroups:noTypes')}
        </Text>
      )}
      <Checkbox.Group
        label={t('accountGroups:checks')}
        description={t('accountGroups:checksHint')}
        value={checked}
        onChange={(chosen) => setChecked(chosen as SendingType[])}
        error={byField['rules.sendernamesCheck']}
      >
        {boxes}
      </Checkbox.Group>
    </GroupFrame>
  );
}
