import { Alert, Button, Group, Text } from '@mantine/core';
import { ApiError } from '@heliograph/contract';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useTestMail } from './installation.api.ts';

/** Sends an e-mail to the administrator by the saved settings, and shows what the mail server said. */
export function MailTestPanel() {
  const { t } = useTranslation();
  const { mutate, data, error, isPending } = useTestMail();
  return (
    <>
      <Group mt="md">
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {t('installationSettings:mailTest.send')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('installationSettings:mailTest.hint')}
        </Text>
      </Group>
      <div aria-live="polite">
        {!isPending && error && (
          <Alert color="red" mt="sm">
            {error instanceof ApiError && error.code === 'validation'
              ? t('installationSettings:mailTest.noAddress')
              : errorText(t, error)}
          </Alert>
        )}
        {!isPending && data && (
          <Alert
            color={data.isAccepted ? 'green' : 'red'}
            mt="sm"
            title={t(`installationSettings:mailTest.${data.isAccepted ? 'accepted' : 'refused'}`, {
              to: data.to,
            })}
          >
            {data.answer ?? t('installationSettings:mailTest.log')}
          </Alert>
        )}
      </div>
    </>
  );
}
