import type { Estimate, SendingType } from '@heliograph/contract';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { Facts } from '../../ui/facts.tsx';

interface PriceAnswerProps {
  estimate?: Estimate;
  /** Whether the form is complete. */
  isAsked: boolean;
  type: SendingType;
}

export function PriceAnswer({ estimate, isAsked, type }: PriceAnswerProps) {
  const { t } = useTranslation();
  const formats = useFormats(estimate?.currency);
  if (!isAsked) {
    return (
      <Text size="sm" c="dimmed">
        {t('tariffs:calculator.hint')}
      </Text>
    );
  }
  if (!estimate) return <Skeleton height={90} />;
  const [operator] = estimate.operators;
  const seconds = operator?.lines[0]?.multiplier;
  return (
    <Stack gap="xs">
      <Text fz={28} fw={600} className="numeric">
        {formats.money(estimate.amount)}
      </Text>
      <Facts
        facts={[
          { label: t('tariffs:calculator.type'), value: t(`common:type.${type}`) },
          {
            label: t('tariffs:calculator.operator'),
            value: operator && (operator.name ?? t('tariffs:calculator.unknown')),
          },
          {
            label: t('tariffs:calculator.segments'),
            value: type !== 'voice' && estimate.segments > 0 && formats.number(estimate.segments),
          },
          {
            label: t('tariffs:calculator.length'),
            value: type === 'voice' && seconds !== undefined && formats.seconds(seconds),
          },
        ]}
      />
    </Stack>
  );
}
