import { Checkbox, Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SegmentCount } from '../../contact-lists/segments/segment-count-meter.tsx';
import { useOwnSegments } from '../../contact-lists/segments/segments.api.ts';
import { useSendForm } from '../form/send-form.ts';
import type { Side } from '../form/send-values.ts';

/** Segments, which are chosen as lists are; nothing while the account has none. */
export function SegmentPicker({ side }: { side: Side }) {
  const { t } = useTranslation();
  const id = useId();
  const form = useSendForm();
  const segments = useOwnSegments();
  if (!segments?.length) return null;
  const { lists } = form.values[side];
  const others = form.values[side === 'include' ? 'exclude' : 'include'].lists;
  const put = (segment: string, isChosen: boolean) => {
    form.clearErrors('include', 'exclude');
    const rest = lists.filter((one) => one !== segment);
    form.set({ [side]: { ...form.values[side], lists: isChosen ? [...rest, segment] : rest } });
  };
  return (
    <Stack gap={6} role="group" aria-labelledby={id}>
      <Text size="sm" fw={500} id={id}>
        {t('send:segments')}
      </Text>
      {segments.map((segment) => (
        <Group key={segment.id} gap="xs" wrap="nowrap">
          <Checkbox
            checked={lists.includes(segment.id)}
            disabled={others.includes(segment.id)}
            onChange={(event) => put(segment.id, event.currentTarget.checked)}
            label={segment.title}
            description={others.includes(segment.id) ? t(`send:taken.${side}`) : undefined}
          />
          <Text size="sm" c="dimmed">
            <SegmentCount id={segment.id} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
