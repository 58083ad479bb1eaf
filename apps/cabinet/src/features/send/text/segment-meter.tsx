import type { SendingType } from '@heliograph/contract';
import {
  countSegments,
  isBilledBySegment,
  type VariableValues,
  gsmReplacement,
} from '@heliograph/domain';
import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../core/use-formats.ts';
import { filledIn, namesIn } from '../form/variables.ts';

interface SegmentMeterProps {
  type: SendingType;
  text: string;
  /** Values of a sample recipient; without them the variables' defaults are used. */
  values?: VariableValues;
  /** The text as it is sent. */
  sent?: (text: string) => string;
  onReplace: (text: string) => void;
}

/** Characters and segments of a text with a sample recipient's values, counted as they are billed. */
export function SegmentMeter({
  type,
  text,
  values = {},
  sent = (written) => written,
  onReplace,
}: SegmentMeterProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const filledText = sent(filledIn(text, values));
  if (!isBilledBySegment(type)) {
    return (
      <Text size="xs" c="dimmed" ta="end" mt={4} className="numeric">
        {t('send:characters', {
          count: filledText.length,
          number: formats.number(filledText.length),
        })}
      </Text>
    );
  }
  const { characters, segments, perSegment, encoding } = countSegments(filledText);
  const over = overBy(filledText);
  return (
    <>
      <Group justify="flex-end" gap="xs" mt={4}>
        <Text size="xs" c="dimmed" className="numeric">
          {t('send:segments', {
            count: segments,
            number: formats.number(segments),
            used: formats.number(characters),
            room: formats.number(segments * perSegment),
            alphabet: t(`send:alphabet.${encoding}`),
          })}
          {namesIn(text).length > 0 && ` · ${t('send:varies')}`}
        </Text>
      </Group>
      {over !== null && (
        <Text size="xs" mt={2}>
          {t('send:overBy', { count: over })}
        </Text>
      )}
      <Offenders text={text} segments={segments} onReplace={onReplace} />
    </>
  );
}

/** Characters that make a text longer than it would have to be, and the way out. */
function Offenders({
  text,
  segments,
  onReplace,
}: Omit<SegmentMeterProps, 'type' | 'values' | 'sent'> & { segments: number }) {
  const { t } = useTranslation();
  const { offenders } = countSegments(text);
  if (!offenders.length) return null;
  const gsm = toGsm(text);
  const replaced = offenders.filter((char) => !gsm.left.includes(char));
  return (
    <Group gap="xs" mt={4} role="status">
      <Text size="xs" flex={1} miw={180}>
        {t('send:offenders', { characters: offenders.slice(0, 8).join(' ') })}
        {gsm.left.length > 0 &&
          replaced.length > 0 &&
          ` ${t('send:noLike', { characters: gsm.left.slice(0, 8).join(' ') })}`}
      </Text>
      {replaced.length > 0 && (
        <Button size="compact-xs" variant="light" onClick={() => onReplace(gsm.text)}>
          {gsm.segments < segments
            ? t('send:replaceSaves', { count: segments - gsm.segments })
            : t('send:replace')}
        </Button>
      )}
    </Group>
  );
}

interface GsmText {
  text: string;
  /** Characters without a GSM replacement. */
  left: string[];
  segments: number;
}

/** A text with every character that forces Unicode replaced by its like. */
export function toGsm(text: string): GsmText {
  const { offenders } = countSegments(text);
  let replaced = text;
  for (const char of offenders) {
    const like = gsmReplacement(char);
    if (like !== null) replaced = replaced.replaceAll(char, like);
  }
  const { segments, offenders: left } = countSegments(replaced);
  return { text: replaced, left, segments };
}

/** How near a part's end is still worth a word. */
const MAX_CHARACTERS_OVER = 15;

/** So many characters fewer make one part fewer; null when it is not near. */
export function overBy(text: string): number | null {
  const { characters, segments, encoding } = countSegments(text);
  if (segments < 2) return null;
  const [one, many] = encoding === 'ascii' ? [160, 153] : [70, 67];
  const over = characters - (segments === 2 ? one : many * (segments - 1));
  return over > 0 && over <= MAX_CHARACTERS_OVER ? over : null;
}
