import type { SendingType } from '@heliograph/contract';
import { countSegments, isBilledBySegment } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';

/** How long a text is, in what its channel is billed by. Variables count as they are written. */
export function TemplateLength({ type, text }: { type: SendingType; text: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { characters, segments } = countSegments(text);
  const count = isBilledBySegment(type) ? characters : text.length;
  const length = t('templates:characters', { count, number: formats.number(count) });
  return (
    <Text size="xs" c="dimmed" ml="auto" className="numeric">
      {isBilledBySegment(type) ? t('templates:parts', { count: segments, length }) : length}
    </Text>
  );
}
