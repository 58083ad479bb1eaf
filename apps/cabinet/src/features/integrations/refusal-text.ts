import { ApiError, ERRORS, type Integration } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import { errorText } from '../../core/errors.ts';

/** Why the last call was refused, as if this visitor had made it; a refusal of an earlier version is in English. */
export function refusalText(
  t: TFunction,
  { error, refusal }: Pick<Integration, 'error' | 'refusal'>,
): string {
  if (!refusal) return error ?? '';
  const { code, fields, reason } = refusal;
  if (reason !== null) return t('integrations:portalRefused', { reason });
  const data = fields.map(({ field, rule, message }) => ({ field, type: rule, message }));
  const body = { error: ERRORS[code], code, name: '', message: error ?? '', data, requestId: '' };
  return errorText(t, new ApiError(ERRORS[code], body, new Headers()));
}
