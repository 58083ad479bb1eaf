import type { FailedJob } from '@heliograph/contract';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { DataTable } from './data-table.tsx';
import { useRemoveJob, useRetryJob, useRetryJobs } from './installation.api.ts';

/** Jobs that failed, and for who may change the installation: tries them again. */
export function FailedJobs({ jobs }: { jobs: FailedJob[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayChange = useCan()('installation.update', 'managerUp');
  const retryAll = useRetryJobs();
  if (!jobs.length) return <Text>{t('installation:noFailedJobs')}</Text>;
  const failing = Map.groupBy(
    jobs.filter(({ doneAt }) => !doneAt),
    ({ queue }) => queue,
  );
  return (
    <Stack>
      <Text>{t('installation:failedJobsHint')}</Text>
      {mayChange && failing.size > 0 && (
        <Group gap="xs">
          {[...failing.keys()].map((queue) => (
            <Button
              key={queue}
              size="compact-sm"
              variant="default"
              loading={retryAll.isPending && retryAll.variables.queue === queue}
              onClick={() => retryAll.mutate({ queue })}
            >
              {t('installation:retryQueue', { queue })}
            </Button>
          ))}
        </Group>
      )}
      <DataTable
        caption={t('installation:failedJobs')}
        head={[
          ...['job', 'queue', 'failedAt', 'failures', 'error'].map((name) => ({
            name: t(`installation:failedJob.${name}`),
            isNumber: name === 'failures',
          })),
          ...(mayChange ? [{ name: t('installation:failedJob.actions'), isNumber: false }] : []),
        ]}
        rows={jobs.map((job) => ({
          key: job.id,
          cells: [
            <>
              {job.name} <State job={job} />
              {job.subject && (
                <Text size="xs" c="dimmed">
                  {job.subject}
                </Text>
              )}
            </>,
            job.queue,
            formats.dateTime(job.failedAt),
            formats.number(job.failures),
            job.error,
            ...(mayChange ? [<Actions key="actions" job={job} />] : []),
          ],
        }))}
      />
    </Stack>
  );
}

function State({ job: { doneAt, retriedAt, failedAt } }: { job: FailedJob }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!doneAt && !(retriedAt && retriedAt > failedAt))
    return (
      <Badge color="red" variant="light">
        {t('installation:jobFails')}
      </Badge>
    );
  return (
    <Text size="xs" c="dimmed">
      {doneAt
        ? t('installation:jobDone', { at: formats.dateTime(doneAt) })
        : t('installation:jobRetried', { at: formats.dateTime(retriedAt!) })}
    </Text>
  );
}

function Actions({ job: { id, doneAt } }: { job: FailedJob }) {
  const { t } = useTranslation();
  const retry = useRetryJob();
  const remove = useRemoveJob();
  return (
    <Group gap="xs" wrap="nowrap">
      {!doneAt && (
        <Button
          size="compact-sm"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate(id)}
        >
          {t('installation:retryJob')}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        loading={remove.isPending}
        onClick={() => remove.mutate(id)}
      >
        {t('installation:removeJob')}
      </Button>
    </Group>
  );
}
