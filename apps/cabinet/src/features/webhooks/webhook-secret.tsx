import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecretOnce } from '../../ui/secret-once.tsx';

interface WebhookSecretProps {
  secret: string;
  onClose: () => void;
}

/** The secret of a new webhook, or the one that replaces another. */
export function WebhookSecret({ secret, onClose }: WebhookSecretProps) {
  const { t } = useTranslation();
  return (
    <Stack>
      <SecretOnce
        value={secret}
        shown={'whsec_'.length}
        label={t('webhooks:secret')}
        warning={t('webhooks:onceWarning')}
      />
      <Text size="sm" c="dimmed">
        {t('webhooks:secretText')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}
