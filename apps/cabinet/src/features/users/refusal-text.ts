import type { AccountChanged } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import { fieldsText } from '../../core/errors.ts';

/** Why an account was refused: the field and its rule, else the sentence of the code. */
export function refusalText(t: TFunction, error: NonNullable<AccountChanged['error']>): string {
  const { code, message, field, rule } = error;
  if (field) return fieldsText(t, [{ path: field, rule: rule ?? 'other', message }]);
  return t(`errors:code.${code}`, { defaultValue: t('errors:unknown') });
}
