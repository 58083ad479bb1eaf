import type { VolumeStep } from '@heliograph/contract';
import { List } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { stepSentence } from './step-sentence.ts';

/** The volume steps of a tariff in sentences. */
export function StepList({ steps }: { steps: readonly VolumeStep[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!steps.length) return null;
  return (
    <List size="sm" aria-label={t('tariffs:steps.title')}>
      {steps.map((step) => (
        <List.Item key={step.from}>{stepSentence(step, { t, formats })}</List.Item>
      ))}
    </List>
  );
}
