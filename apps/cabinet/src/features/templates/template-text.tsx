import type { SendingType } from '@heliograph/contract';
import { countSegments, isBilledBySegment, type TextFormat } from '@heliograph/domain';
import { Group, Text } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { VariableArea, VariableButton, type VariableAreaHandle } from '../../ui/variable-area.tsx';
import { FormatTools } from '../../ui/text-format.tsx';
import { hasClasses, ownVariables } from './template-values.ts';

interface TemplateTextProps {
  type: SendingType;
  format?: TextFormat;
  value?: string;
  onChange: (text: string) => void;
  error?: ReactNode;
  readOnly: boolean;
  name: string;
  /** How variables are written. */
  hint?: string;
}

/** The text of a template, with contact variables and character classes. */
export function TemplateText(props: TemplateTextProps) {
  const { type, format = 'plain', value = '', onChange, readOnly, hint, ...field } = props;
  const { t } = useTranslation();
  const area = useRef<VariableAreaHandle>(null);
  const own = ownVariables(value);
  return (
    <div>
      <VariableArea
        ref={area}
        {...field}
        label={t('templates:text')}
        description={hint}
        value={value}
        onType={onChange}
        onPut={onChange}
        hasClasses
      />
      {format === 'markdown' && !readOnly && <FormatTools area={area} text={value} />}
      <Group justify="space-between" gap="xs" mt={6}>
        {!readOnly && <VariableButton onClick={() => area.current?.openMenu()} />}
        <TemplateLength type={type} text={value} />
      </Group>
      <div role="status">
        {hasClasses(value) && (
          <Text size="sm" mt={4}>
            {t('templates:hasClasses')}
          </Text>
        )}
        {own.length > 0 && (
          <Text size="sm" mt={4}>
            {t('templates:ownVariables', { names: own.join(', ') })}
          </Text>
        )}
      </div>
    </div>
  );
}

/** How long a text is, in what its channel is billed by. Variables count as they are written. */
function TemplateLength({ type, text }: { type: SendingType; text: string }) {
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
