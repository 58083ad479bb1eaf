import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldText, requestId } from '../../../core/errors.ts';

/** Why a file was not taken. The file is the only field, so a fault of any field is a fault of the file. */
export function ImportError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!error) return null;
  const id = requestId(error);
  const refused = fieldErrors(error);
  const title = !refused.length
    ? errorText(t, error)
    : refused[0]!.path === 'columns'
      ? t('contactLists:columnsHint')
      : fieldText(t, refused);
  return (
    <Alert color="red" role="alert" title={title}>
      {id ? t('errors:requestId', { id }) : null}
    </Alert>
  );
}
