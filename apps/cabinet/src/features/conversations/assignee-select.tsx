import type { Conversation } from '@heliograph/contract';
import { Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { assigneesQuery, useAssign } from './thread.api.ts';

/** Who answers: a choice of the users of the account. It is the chosen one at once, and the former again if the server refuses. */
export function AssigneeSelect({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const field = useId();
  const { id, Assignee } = conversation;
  const { data } = useQuery(assigneesQuery(conversation));
  const assign = useAssign(id);
  const users = data?.data ?? [];
  // One who is suspended is no choice, but still the assignee.
  const isAmong = !Assignee || users.some((user) => user.id === Assignee.id);
  const options = isAmong ? users : [Assignee, ...users];
  const chosen = assign.isPending ? assign.variables : (Assignee?.id ?? null);
  return (
    <Group gap="xs" wrap="nowrap">
      <Text component="label" htmlFor={field} size="sm">
        {t('conversations:assignee')}
      </Text>
      <NativeSelect
        id={field}
        value={chosen ?? ''}
        onChange={(event) => assign.mutate(event.currentTarget.value || null)}
        data={[
          { value: '', label: t('conversations:noAssignee') },
          ...options.map((user) => ({ value: user.id, label: user.name })),
        ]}
      />
    </Group>
  );
}
