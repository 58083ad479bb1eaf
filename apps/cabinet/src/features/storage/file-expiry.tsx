import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCountdown } from '../../core/use-countdown.ts';
import { Time } from '../../ui/time.tsx';

/** Specification, section 9: below an hour the time left is counted down, in minutes and at last in seconds. */
const WARNING_SECONDS = 3600;
const MINUTE = 60;

/** When a file is deleted, and that it was. */
export function FileExpiry({ at }: { at: string }) {
  const { t } = useTranslation();
  const left = useCountdown(Date.parse(at));
  if (left >= WARNING_SECONDS)
    return (
      <Text size="xs" c="dimmed" component="span">
        {t('common:labelled', { label: t('storage:expires'), value: '' })}
        <Time at={at} />
      </Text>
    );
  const text =
    left === 0
      ? t('storage:deleted')
      : left >= MINUTE
        ? t('storage:minutesLeft', { count: Math.ceil(left / MINUTE) })
        : t('storage:secondsLeft', { count: left });
  return (
    <Text size="xs" c="var(--mantine-color-error)" component="span" className="numeric">
      {text}
    </Text>
  );
}
