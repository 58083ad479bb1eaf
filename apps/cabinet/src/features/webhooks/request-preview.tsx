import { Alert, Code, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Preview } from './webhook-values.ts';

interface RequestPreviewProps {
  preview: Preview;
  method: 'GET' | 'POST';
}

/** What is sent for an example of the event, as the form is now. */
export function RequestPreview({ preview: { url, body, rule }, method }: RequestPreviewProps) {
  const { t } = useTranslation();
  const label = t('webhooks:preview');
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {rule && (
        <Alert color="orange" variant="light">
          {t(`errors:rule.${rule}`)}
        </Alert>
      )}
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ maxHeight: 260, overflow: 'auto', whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}
      >
        {`${method} ${url ?? '…'}${body === null ? '' : `\n\n${body}`}`}
      </Code>
    </Stack>
  );
}
