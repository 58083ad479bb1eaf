import { TEXT_FORMATS, type TextFormat } from '@heliograph/domain';
import { ActionIcon, Group, SegmentedControl, Text, Tooltip } from '@mantine/core';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import {
  IconBold,
  IconHeading,
  IconImage,
  IconItalic,
  IconLine,
  IconLink,
  IconList,
  IconMailButton,
} from './icons.ts';
import { MARKS, marked, type Mark } from './markdown-edits.ts';
import type { VariableAreaHandle } from './variable-area.tsx';

interface FormatSwitchProps {
  value: TextFormat;
  onChange: (format: TextFormat) => void;
  readOnly?: boolean;
}

/** Whether an e-mail is plain or formatted. */
export function FormatSwitch({ value, onChange, readOnly }: FormatSwitchProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      aria-label={t('format.label')}
      mb={6}
      size="xs"
      value={value}
      onChange={(format) => onChange(format as TextFormat)}
      readOnly={readOnly}
      data={TEXT_FORMATS.map((format) => ({ value: format, label: t(`format.${format}`) }))}
    />
  );
}

const ICONS: Record<Mark, typeof IconBold> = {
  bold: IconBold,
  italic: IconItalic,
  heading: IconHeading,
  list: IconList,
  link: IconLink,
  button: IconMailButton,
  image: IconImage,
  line: IconLine,
};

/** Marks for a text in Markdown. */
export function FormatTools({
  area,
  text,
}: {
  area: RefObject<VariableAreaHandle | null>;
  text: string;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Group gap={2} mt={6} role="toolbar" aria-label={t('format.tools')}>
        {MARKS.map((mark) => {
          const Icon = ICONS[mark];
          return (
            <Tooltip key={mark} label={t(`format.${mark}`)}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t(`format.${mark}`)}
                // Before the field loses its selection.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() =>
                  area.current?.put(
                    marked(text, area.current.selection(), mark, t('format.placeholder')),
                  )
                }
              >
                <Icon size={18} aria-hidden />
              </ActionIcon>
            </Tooltip>
          );
        })}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t('format.hint')}
      </Text>
    </>
  );
}
