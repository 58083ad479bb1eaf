import type { DNS_STATES } from '@heliograph/contract';
import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';
import { domainQuery } from './channels.api.ts';

const COLORS: Record<(typeof DNS_STATES)[number], string> = {
  right: 'green',
  missing: 'red',
  wrong: 'red',
  unknown: 'gray',
};

/** What the DNS says of the senders of an e-mail channel, and what it should say. Looked up when asked. */
export function ChannelDomain({ channel }: { channel: string }) {
  const { t } = useTranslation();
  const { data, isFetching, isError, refetch } = useQuery({
    ...domainQuery(channel),
    enabled: false,
  });
  return (
    <section aria-labelledby="channel-domain">
      <Title order={2} size="h5" mb="xs" id="channel-domain">
        {t('channels:domain.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('channels:domain.hint')}
      </Text>
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        {t('channels:domain.check')}
      </Button>
      <Stack mt="md" role="status">
        {isError && <Text size="sm">{t('channels:domain.failed')}</Text>}
        {data?.records.map(({ kind, type, name, wanted, found, state }) => (
          <Stack gap={4} key={kind}>
            <Group gap="xs">
              <Text fw={600}>{t(`channels:domain.kind.${kind}`)}</Text>
              <Badge variant="light" color={COLORS[state]}>
                {t(`channels:domain.state.${state}`)}
              </Badge>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {name} {type}
            </Text>
            {found.map((text) => (
              <Code key={text} style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Code>
            ))}
            {state !== 'right' && (
              <Text size="sm" component="div">
                {t('channels:domain.wanted')} <CopyId id={wanted} />
              </Text>
            )}
          </Stack>
        ))}
      </Stack>
    </section>
  );
}
