import { MAX_LABELS, type Conversation } from '@heliograph/contract';
import { MAX_TAG_LENGTH } from '@heliograph/domain';
import { Group, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { labelsQuery } from './conversations.api.ts';
import { useLabel } from './thread.api.ts';

/** The labels of a conversation. They are the new ones at once, and the former again if the server refuses. */
export function LabelsInput({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const field = useId();
  const { id, labels, OwnerId } = conversation;
  const { data } = useQuery(labelsQuery(OwnerId));
  const label = useLabel(id);
  return (
    <Group gap="xs" wrap="nowrap">
      <Text component="label" htmlFor={field} size="sm">
        {t('conversations:labels')}
      </Text>
      <TagsInput
        id={field}
        value={label.isPending ? label.variables : labels}
        onChange={(wanted) => label.mutate(wanted)}
        data={data?.data ?? []}
        splitChars={[',', ';', '\n']}
        maxTags={MAX_LABELS}
        maxLength={MAX_TAG_LENGTH}
        acceptValueOnBlur
        autoComplete="off"
        style={{ flex: 1 }}
      />
    </Group>
  );
}
