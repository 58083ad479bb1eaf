import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';

/** Why something was refused, in the dialog in which it was asked for. */
export function RefusalNote({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" mt="md" role="alert">
      {errorText(t, error)}
    </Alert>
  );
}
