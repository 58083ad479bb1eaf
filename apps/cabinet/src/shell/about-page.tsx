import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSettings } from '../core/settings.ts';
import { Facts } from '../ui/facts.tsx';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { loadedVersion, useNewVersion } from './version.ts';

const Licenses = later(async () => (await import('./licenses.tsx')).Licenses);

/** Product and version to quote to support, its contacts, policies, and the licences of packages. */
export function AboutPage() {
  const { t } = useTranslation();
  const { frontend, session } = useSettings();
  const next = useNewVersion();
  const { email, phone, chat } = frontend.support;
  return (
    <>
      <PageHeader title={t('shell:about.title')} />
      <Stack maw={720}>
        <Paper withBorder p="md">
          <Stack>
            <Text>{t('shell:about.text', { title: frontend.title })}</Text>
            <Facts
              facts={[
                { label: t('shell:about.version'), value: loadedVersion() },
                { label: t('shell:about.next'), value: next && <Update version={next} /> },
                { label: t('shell:about.account'), value: session.username },
                { label: t('shell:about.id'), value: session.OwnerId },
              ]}
            />
          </Stack>
        </Paper>
        <Section title={t('shell:about.contacts')}>
          <Text size="sm">{t('shell:about.support')}</Text>
          <Facts
            facts={[
              {
                label: t('shell:about.email'),
                value: email && <Anchor href={`mailto:${email}`}>{email}</Anchor>,
              },
              {
                label: t('shell:about.phone'),
                value: phone && (
                  <Anchor href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</Anchor>
                ),
              },
              {
                label: t('shell:chat'),
                value: chat && (
                  <Anchor href={chat} target="_blank" rel="noopener noreferrer">
                    {chat}
                  </Anchor>
                ),
              },
            ]}
          />
        </Section>
        <Section title={t('shell:about.documents')}>
          <Stack gap={6} align="start">
            <Policy name="privacy" />
            <Policy name="offer" />
            <Anchor component={Link} to="/documentation" size="sm">
              {t('documentation')}
            </Anchor>
            <Anchor href="/api/openapi.json" target="_blank" size="sm">
              {t('shell:about.openapi')}
            </Anchor>
          </Stack>
        </Section>
        <LicenseSection />
      </Stack>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

function Update({ version }: { version: string }) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      {version}
      <Button size="compact-xs" onClick={() => location.reload()}>
        {t('shell:update.action')}
      </Button>
    </Group>
  );
}

/** The document of this installation, or the page of the documentation. */
function Policy({ name }: { name: 'privacy' | 'offer' }) {
  const { t } = useTranslation();
  const url = useSettings().frontend.documents[name];
  const label = t(`documents.${name}`);
  return url ? (
    <Anchor href={url} target="_blank" size="sm">
      {label}
    </Anchor>
  ) : (
    <Anchor component={Link} to={`/documentation/policies/${name}`} size="sm">
      {label}
    </Anchor>
  );
}

function LicenseSection() {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  return (
    <Section title={t('shell:licenses.title')}>
      <Text size="sm">{t('shell:licenses.text')}</Text>
      <Group>
        {!isShown && (
          <Button variant="default" onClick={() => setShown(true)}>
            {t('shell:licenses.show')}
          </Button>
        )}
        <Anchor href="/licenses.txt" target="_blank" size="sm">
          {t('shell:licenses.texts')}
        </Anchor>
      </Group>
      {isShown && <Licenses />}
    </Section>
  );
}
