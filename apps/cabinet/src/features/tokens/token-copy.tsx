import type { TokenWithSecret } from '@heliograph/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { CurlExample } from './curl-example.tsx';

interface TokenCopyProps {
  created: TokenWithSecret;
  onClose: () => void;
}

/** The secret of a new or rotated token, and until when the former one is valid. */
export function TokenCopy({ created, onClose }: TokenCopyProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { token, prefix, previous, rotatedAt } = created;
  return (
    <Stack>
      <SecretOnce
        value={token}
        shown={prefix.length}
        label={t('tokens:token')}
        warning={t('tokens:onceWarning')}
      />
      {rotatedAt && (
        <Text size="sm">
          {previous
            ? t('tokens:formerUntil', {
                prefix: previous.prefix,
                time: formats.dateTime(previous.validUntil),
              })
            : t('tokens:formerEnded')}
        </Text>
      )}
      <CurlExample />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
      </Group>
    </Stack>
  );
}
