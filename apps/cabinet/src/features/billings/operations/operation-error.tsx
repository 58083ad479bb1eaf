import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldText, requestId } from '../../../core/errors.ts';

/** Why a file or an operation was refused. */
export function OperationError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!error) return null;
  const id = requestId(error);
  const refused = fieldErrors(error);
  return (
    <Alert
      color="red"
      role="alert"
      title={refused.length ? fieldText(t, refused) : errorText(t, error)}
    >
      {id ? t('errors:requestId', { id }) : null}
    </Alert>
  );
}
