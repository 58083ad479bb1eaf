import type { Status } from '@heliograph/contract';
import { FALLBACK_STATUSES } from '@heliograph/domain';
import { Checkbox, Group, Input, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../../../ui/number-field.tsx';
import { useSendForm } from '../form/send-form.ts';
import type { FallbackValues } from '../form/send-values.ts';

const DAY_SECONDS = 86_400;

const secondsOf = (typed: number | null) => (typed === null ? '' : Math.min(DAY_SECONDS, typed));

/** When a fallback starts; any one of them is enough. */
export function TriggerFields({ at }: { at: number }) {
  const { t } = useTranslation();
  const form = useSendForm();
  const path = `fallbacks.${at}` as const;
  const { onStatus, timeout, except, reply } = form.values.fallbacks[at]!;
  const error = form.errors[`${path}.trigger`];
  const set = <K extends keyof FallbackValues>(name: K, value: FallbackValues[K]) => {
    form.clearErrors(`${path}.trigger`, `${path}.except`);
    form.field(`${path}.${name}`).onChange(value);
  };
  return (
    <Input.Wrapper
      label={t('send:triggers')}
      error={error}
      labelElement="div"
      data-path={`${path}.trigger`}
    >
      <Stack gap="sm" mt="xs">
        <Statuses
          label={t('send:onStatus')}
          value={onStatus}
          onChange={(next) => set('onStatus', next)}
        />
        <NumberField
          label={t('send:timeout')}
          description={t('send:timeoutHint')}
          scale={0}
          min={0}
          max={DAY_SECONDS}
          value={timeout === '' ? null : timeout}
          onChange={(seconds) => set('timeout', secondsOf(seconds))}
          aria-invalid={!!error}
        />
        {timeout !== '' && (
          <Statuses
            label={t('send:except')}
            value={except}
            error={form.errors[`${path}.except`]}
            field={`${path}.except`}
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

interface StatusesProps<S> {
  label: string;
  value: S[];
  error?: ReactNode;
  /** The field of the form that shows the error. */
  field?: string;
  onChange: (value: S[]) => void;
}

function Statuses<S extends Status>({ label, value, error, field, onChange }: StatusesProps<S>) {
  const { t } = useTranslation();
  // A template may name one that is not offered here; it stays.
  const offered = new Set<Status>([...FALLBACK_STATUSES, ...value]);
  return (
    <Checkbox.Group
      label={label}
      error={error}
      data-path={field}
      value={value}
      onChange={(next) => onChange(next as S[])}
    >
      <Group gap="md" mt={4}>
        {[...offered].map((status) => (
          <Checkbox key={status} value={status} label={t(`common:status.${status}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
