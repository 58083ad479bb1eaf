import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../core/settings.ts';
import { Facts } from '../ui/facts.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { loadedVersion, useNewVersion } from './version.ts';

/** Product and version, to quote to support. */
export function AboutPage() {
  const { t } = useTranslation();
  const { frontend, session } = useSettings();
  const next = useNewVersion();
  return (
    <>
      <PageHeader title={t('shell:about.title')} />
      <Paper withBorder p="md" maw={600}>
        <Stack>
          <Text>{t('shell:about.text', { title: frontend.title })}</Text>
          <Facts
            facts={[
              { label: t('shell:about.version'), value: loadedVersion() },
              { label: t('shell:about.next'), value: next },
              { label: t('shell:about.account'), value: session.username },
              { label: t('shell:about.id'), value: session.OwnerId },
            ]}
          />
          <Text size="sm">{t('shell:about.support')}</Text>
          <Anchor href="/api/openapi.json" target="_blank" size="sm">
            {t('shell:about.openapi')}
          </Anchor>
        </Stack>
      </Paper>
    </>
  );
}
