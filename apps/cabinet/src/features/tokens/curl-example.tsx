import { Box, Code, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A call with a token, as it is typed into a terminal. The secret is not part of it. */
export function CurlExample({ prefix = 'hg_' }: { prefix?: string }) {
  const { t } = useTranslation();
  const call = `curl ${location.origin}/api/users/me \\\n  -H "Authorization: Bearer ${prefix}…"`;
  return (
    <Box ta="start" maw="100%">
      <Text size="sm" mb={4}>
        {t('tokens:example')}
      </Text>
      <Code block tabIndex={0} role="region" aria-label={t('tokens:example')}>
        {call}
      </Code>
    </Box>
  );
}
