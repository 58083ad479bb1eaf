import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, requestId, ruleText } from '../../../core/errors.ts';

/** Why a file was not taken. The file is the only field, so a fault of any field is a fault of the file. */
export function ImportError({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!error) return null;
  const id = requestId(error);
  const [wrong] = fieldErrors(error);
  const title = !wrong
    ? errorText(t, error)
    : wrong.path === 'columns'
      ? t('contactLists:columnsHint')
      : ruleText(t, wrong.rule);
  return (
    <Alert color="red" role="alert" title={title}>
      {id ? t('errors:requestId', { id }) : null}
    </Alert>
  );
}
