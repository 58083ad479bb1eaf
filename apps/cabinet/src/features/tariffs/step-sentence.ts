import type { VolumeStep } from '@heliograph/contract';
import type { Words } from './rule-sentence.ts';

/** A volume step of a tariff as a sentence: "From 10,000 messages a month, prices are 5% lower." */
export const stepSentence = (
  { from, percent }: VolumeStep,
  { t, formats }: Pick<Words, 't' | 'formats'>,
): string =>
  t('tariffs:steps.sentence', { from: formats.number(from), percent: formats.number(percent) });
