import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { requestId, errorText } from '../core/errors.ts';
import { IconAlertTriangle } from './icons.ts';

interface ErrorCardProps {
  /** Names what failed. */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** The error, what to do about it, and the request id for support. */
export function ErrorCard({ title, error, onRetry }: ErrorCardProps) {
  const { t } = useTranslation();
  const id = requestId(error);
  return (
    <Alert color="red" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert" mb="md">
      <Text size="sm">{errorText(t, error)}</Text>
      <Group mt="sm" gap="md">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
        {id && (
          <Text size="xs" c="dimmed">
            {t('errors:requestId', { id })}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
