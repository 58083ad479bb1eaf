import { ApiError, ERRORS, type Integration } from '@heliograph/contract';
import type { TFunction } from 'i18next';
import { errorText, fieldText } from '../../core/errors.ts';

/** Why the last call was refused, as if this visitor had made it; a refusal of an earlier version is in English. */
export function refusalText(
  t: TFunction,
  { error, refusal }: Pick<Integration, 'error' | 'refusal'>,
): string {
  if (!refusal) return error ?? '';
  const { code, fields, reason } = refusal;
  if (reason !== null) return t('integrations:portalRefused', { reason });
  // The names of fields are those of the other program, which its administrator knows.
  if (fields.length)
    return fields
      .map(({ field, rule, message }) => {
        const problem = fieldText(t, [{ path: field, rule, message }]);
        return t('errors:field', { field, problem });
      })
      .join(' ');
  const body = {
    error: ERRORS[code],
    code,
    name: '',
    message: error ?? '',
    requestId: '',
    docs: '',
  };
  return errorText(t, new ApiError(ERRORS[code], body, new Headers()));
}
