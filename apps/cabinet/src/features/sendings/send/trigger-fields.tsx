import type { Status } from '@heliograph/contract';
import { Checkbox, Group, Input, NumberInput, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFieldError, useSendForm } from './form-context.ts';
import type { FallbackValues } from './send-values.ts';

/** Statuses that an attempt comes to by itself. */
const REACHED: Status[] = ['sent', 'delivered', 'seen', 'failed'];

/** When a fallback starts; any one of them is enough. */
export function TriggerFields({ at }: { at: number }) {
  const { t } = useTranslation();
  const form = useSendForm();
  const errorOf = useFieldError();
  const path = `fallbacks.${at}` as const;
  const { onStatus, timeout, except, reply } = form.values.fallbacks[at]!;
  const error = errorOf(`${path}.trigger`);
  const set = <K extends keyof FallbackValues>(name: K, value: FallbackValues[K]) => {
    form.clearFieldError(`${path}.trigger`);
    form.setFieldValue(`${path}.${name}`, value as never);
  };
  return (
    <Input.Wrapper
      label={t('send:triggers')}
      error={error}
      labelElement="div"
      data-field={`${path}.trigger`}
    >
      <Stack gap="sm" mt="xs">
        <Statuses
          label={t('send:onStatus')}
          value={onStatus}
          onChange={(next) => set('onStatus', next)}
        />
        <NumberInput
          label={t('send:timeout')}
          description={t('send:timeoutHint')}
          min={0}
          max={86_400}
          allowDecimal={false}
          allowNegative={false}
          value={timeout}
          onChange={(value) => set('timeout', value === '' ? '' : Number(value))}
          aria-invalid={!!error}
        />
        {timeout !== '' && (
          <Statuses
            label={t('send:except')}
            value={except}
            onChange={(next) => set('except', next)}
          />
        )}
        <TextInput
          label={t('send:reply')}
          description={t('send:replyHint')}
          maxLength={200}
          value={reply}
          onChange={(event) => set('reply', event.currentTarget.value)}
        />
      </Stack>
    </Input.Wrapper>
  );
}

interface StatusesProps {
  label: string;
  value: Status[];
  onChange: (value: Status[]) => void;
}

function Statuses({ label, value, onChange }: StatusesProps) {
  const { t } = useTranslation();
  // A template may name one that is not offered here; it stays.
  const offered = [...REACHED, ...value.filter((status) => !REACHED.includes(status))];
  return (
    <Checkbox.Group label={label} value={value} onChange={(next) => onChange(next as Status[])}>
      <Group gap="md" mt={4}>
        {offered.map((status) => (
          <Checkbox key={status} value={status} label={t(`common:status.${status}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
