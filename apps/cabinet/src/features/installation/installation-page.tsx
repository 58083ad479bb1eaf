import type { Installation } from '@heliograph/contract';
import { Badge, Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { saveText } from '../../ui/save-text.ts';
import { DataTable } from './data-table.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { InstallationTabs } from './installation-tabs.tsx';
import { healthQuery, installationQuery } from './installation.api.ts';

const CHECKS = ['database', 'migrations', 'redis', 'files'] as const;

/** `/installation`: what runs, what waits, and what fills up, for administrators. */
export function InstallationPage() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(installationQuery);
  return (
    <>
      <PageHeader title={t('installation:title')}>
        {data && <SupportButton state={data} />}
      </PageHeader>
      <InstallationTabs />
      {!data && error ? (
        <ErrorCard title={t('installation:failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <DetailsSkeleton />
      ) : (
        <Stack gap="md">
          <Section id="needs" title={t('installation:needs')}>
            <Needs state={data} />
          </Section>
          <Section id="waiting" title={t('installation:waiting')}>
            <Waiting state={data} />
          </Section>
          <Section id="processes" title={t('installation:processes')}>
            <Processes state={data} />
          </Section>
          <Section id="database" title={t('installation:database')}>
            <Database database={data.database} />
          </Section>
          <Section id="slow-lists" title={t('installation:slowLists')}>
            <SlowLists lists={data.slowLists} />
          </Section>
          <Section id="certificates" title={t('installation:certificates')}>
            <Certificates certificates={data.certificates} />
          </Section>
          <Section id="failed-jobs" title={t('installation:failedJobs')}>
            <FailedJobs jobs={data.failedJobs} />
          </Section>
          <Section id="sweeps" title={t('installation:sweeps')}>
            <Sweeps sweeps={data.sweeps} />
          </Section>
        </Stack>
      )}
    </>
  );
}

/** What a person who helps from outside needs: no secret is in it. */
function SupportButton({ state }: { state: Installation }) {
  const { t } = useTranslation();
  const { data: health } = useQuery(healthQuery);
  const save = () =>
    saveText(
      `heliograph-${state.version}.json`,
      JSON.stringify({ health, ...state }, null, 2),
      'application/json',
    );
  return (
    <Button variant="default" onClick={save}>
      {t('installation:support')}
    </Button>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id}>
      <Title order={2} size="h5" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </Paper>
  );
}

/** A backup is made every night. */
const BACKUP_MS = 2 * 24 * 3_600_000;

function Needs({ state: { version, build, upkeep } }: { state: Installation }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { backupAt, verify } = upkeep;
  const { data } = useQuery(healthQuery);
  return (
    <Facts
      facts={[
        { label: t('installation:version'), value: `${version} (${build.slice(0, 8)})` },
        ...CHECKS.map((name) => ({
          label: t(`installation:check.${name}`),
          value: data && (
            <Badge color={data.checks[name] ? 'green' : 'red'} variant="light">
              {t(data.checks[name] ? 'installation:ok' : 'installation:missing')}
            </Badge>
          ),
        })),
        {
          label: t('installation:backup'),
          value: backupAt ? (
            <>
              {formats.dateTime(backupAt)}{' '}
              {Date.now() - Date.parse(backupAt) > BACKUP_MS && (
                <Badge color="orange" variant="light">
                  {t('installation:stale')}
                </Badge>
              )}
            </>
          ) : (
            t('installation:neverDone')
          ),
        },
        {
          label: t('installation:verified'),
          value: verify ? (
            <>
              {formats.dateTime(verify.at)}{' '}
              <Badge color={verify.problems ? 'red' : 'green'} variant="light">
                {verify.problems
                  ? t('installation:problems', { count: verify.problems })
                  : t('installation:noProblems')}
              </Badge>
            </>
          ) : (
            t('installation:neverDone')
          ),
        },
      ]}
    />
  );
}

/** Below this, work is done as it comes. */
const SOON_SECONDS = 1;

function Waiting({ state: { lags, queues } }: { state: Installation }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Facts
      facts={[
        ...lags.map(({ name, seconds }) => ({
          label: t(`installation:lag.${name}`),
          value:
            seconds < SOON_SECONDS
              ? t('installation:nothing')
              : formats.seconds(Math.round(seconds)),
        })),
        {
          label: t('installation:jobs'),
          value: formats.number(queues.reduce((sum, { waiting }) => sum + waiting, 0)),
        },
      ]}
    />
  );
}

function Processes({ state: { processes } }: { state: Installation }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <DataTable
      caption={t('installation:processes')}
      head={['kind', 'host', 'version', 'cpu', 'memory', 'delay', 'since'].map((name) => ({
        name: t(`installation:process.${name}`),
        isNumber: ['cpu', 'memory', 'delay'].includes(name),
      }))}
      rows={processes.map((one) => ({
        key: one.id,
        cells: [
          <>
            {t(`installation:kind.${one.kind}`)}{' '}
            {one.isLost && (
              <Badge color="red" variant="light">
                {t('installation:lost', { at: formats.dateTime(one.seenAt) })}
              </Badge>
            )}
          </>,
          `${one.host} · ${one.pid}`,
          one.version,
          formats.percent(one.cpu),
          formats.bytes(one.memory),
          t('installation:ms', { ms: formats.number(Math.round(one.delay)) }),
          formats.dateTime(one.startedAt),
        ],
      }))}
    />
  );
}

/** What a replica that keeps up has still to apply. */
const SMALL_BYTES = 1_000_000;

function Database({ database }: { database: Installation['database'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { version, size, growth, fullInDays, replica, tables } = database;
  return (
    <Stack>
      <Facts
        facts={[
          { label: t('installation:version'), value: version },
          { label: t('installation:size'), value: formats.bytes(size) },
          {
            label: t('installation:growth'),
            value: growth !== null && growth > 0 && formats.bytes(Math.round(growth)),
          },
          {
            label: t('installation:replica'),
            value:
              replica &&
              (replica.behind === null ? (
                <Badge color="red" variant="light">
                  {t('installation:missing')}
                </Badge>
              ) : replica.behind < SMALL_BYTES ? (
                t('installation:ok')
              ) : (
                t('installation:behind', { size: formats.bytes(replica.behind) })
              )),
          },
          {
            label: t('installation:full'),
            value: fullInDays !== null && t('installation:days', { count: fullInDays }),
          },
        ]}
      />
      <DataTable
        caption={t('installation:tables')}
        head={[
          { name: t('installation:table'), isNumber: false },
          { name: t('installation:size'), isNumber: true },
          { name: t('installation:rows'), isNumber: true },
        ]}
        rows={tables.map((one) => ({
          key: one.name,
          cells: [one.name, formats.bytes(one.size), formats.number(one.rows)],
        }))}
      />
    </Stack>
  );
}

function SlowLists({ lists }: { lists: Installation['slowLists'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const ms = (value: number) => t('installation:ms', { ms: formats.number(value) });
  return (
    <Stack>
      <Text>{t(lists.length ? 'installation:slowListsHint' : 'installation:noLists')}</Text>
      {lists.length > 0 && (
        <DataTable
          caption={t('installation:slowLists')}
          head={['route', 'count', 'p50', 'p95', 'slowest'].map((name) => ({
            name: t(`installation:slowList.${name}`),
            isNumber: name !== 'route',
          }))}
          rows={lists.map((one) => ({
            key: one.route,
            cells: [
              one.route,
              formats.number(one.count),
              ms(one.p50),
              ms(one.p95),
              ms(one.slowest),
            ],
          }))}
        />
      )}
    </Stack>
  );
}

const STAGE_COLORS = { valid: 'green', ending: 'orange', urgent: 'red', ended: 'red' };

function Certificates({ certificates }: { certificates: Installation['certificates'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Stack>
      <Text>{t(certificates.length ? 'installation:proxy' : 'installation:noCertificates')}</Text>
      {certificates.length > 0 && (
        <DataTable
          caption={t('installation:certificates')}
          head={['subject', 'usedBy', 'endsAt'].map((name) => ({
            name: t(`installation:certificate.${name}`),
            isNumber: false,
          }))}
          rows={certificates.map((one, i) => ({
            key: `${one.usedBy} ${one.name} ${i}`,
            cells: [
              one.subject,
              t(`installation:usedBy.${one.usedBy}`, { name: one.name }),
              <>
                {formats.dateTime(one.endsAt)}{' '}
                <Badge color={STAGE_COLORS[one.stage]} variant="light">
                  {t(`installation:stage.${one.stage}`)}
                </Badge>
              </>,
            ],
          }))}
        />
      )}
    </Stack>
  );
}

function Sweeps({ sweeps }: { sweeps: Installation['sweeps'] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const failed = sweeps.filter(({ failedAt }) => failedAt);
  return (
    <Stack>
      <Text>
        {t('installation:ran', { count: sweeps.length })}
        {!failed.length && ` ${t('installation:noneFailed')}`}
      </Text>
      {failed.length > 0 && (
        <DataTable
          caption={t('installation:sweeps')}
          head={['work', 'failedAt', 'ranAt', 'error'].map((name) => ({
            name: t(`installation:sweep.${name}`),
            isNumber: false,
          }))}
          rows={failed.map((one) => ({
            key: one.name,
            cells: [
              one.name,
              formats.dateTime(one.failedAt!),
              formats.dateTime(one.ranAt),
              one.error,
            ],
          }))}
        />
      )}
    </Stack>
  );
}
