import type { SendingType } from '@heliograph/contract';
import { countSegments } from '@heliograph/domain';
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';

/** Channels that are billed by parts. */
const IN_PARTS: SendingType[] = ['sms', 'smsping', 'mms'];

/** What a text takes while it is written; counted by the same function as the bill. */
export function SegmentMeter({ type, text }: { type: SendingType; text: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { characters, segments, perSegment, encoding, offenders } = countSegments(text);
  if (!IN_PARTS.includes(type)) {
    return (
      <Text size="xs" c="dimmed" ta="end" mt={4} className="numeric">
        {t('send:characters', { count: text.length, number: formats.number(text.length) })}
      </Text>
    );
  }
  return (
    <Group justify="space-between" gap="xs" mt={4} align="flex-start">
      <Text size="xs" c="dimmed" flex={1} miw={140}>
        {offenders.length > 0 &&
          t('send:offenders', { characters: offenders.slice(0, 8).join(' ') })}
      </Text>
      <Text size="xs" c="dimmed" className="numeric">
        {t('send:segments', {
          count: segments,
          number: formats.number(segments),
          used: formats.number(characters),
          room: formats.number(segments * perSegment),
          alphabet: t(`send:alphabet.${encoding}`),
        })}
      </Text>
    </Group>
  );
}
