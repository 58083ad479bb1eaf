import type { SystemMessage } from '@heliograph/contract';
import type { TFunction } from 'i18next';

/** Whom a message is for, in words. */
export function audienceOf(t: TFunction, { audience }: Pick<SystemMessage, 'audience'>): string {
  if (audience.to !== 'level') return t(`systemMessages:audience.${audience.to}`);
  const level = t(`systemMessages:level.${audience.level}`);
  return t('systemMessages:audienceLevel', { level });
}
