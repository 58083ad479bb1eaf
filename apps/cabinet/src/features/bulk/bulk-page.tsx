import {
  isBulk,
  type Bulk,
  type ResendAudience,
  type Sending,
  type TaskOutcome,
} from '@heliograph/contract';
import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useParams } from 'react-router';
import { withTexts } from '../../core/i18n/i18n.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconCopy, IconRefresh, IconRepeat } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TaskErrors } from '../tasks/task-errors-section.tsx';
import { TaskSection } from '../tasks/task-section.tsx';
import { taskQuery, useTaskErrors } from '../tasks/tasks.api.ts';
import { useOutcome } from './bulk.api.ts';
import classes from './bulk.module.css';
import { AttemptsTable, OperatorsTable, Timeline } from './figures.tsx';
import { Sent } from './sent.tsx';

const TwoTexts = later(async () => (await import('./two-texts.tsx')).TwoTexts);
// Below the figures, with the code of lists and of dialogs.
const RecipientsSection = later(
  async () => (await import('../sendings/recipients-section.tsx')).RecipientsSection,
  <DetailsSkeleton />,
);
const ReportSection = later(
  async () => (await import('../reports/report-section.tsx')).ReportSection,
);
const ResendDialog = later(
  async () => (await import('../send/resend/resend-dialog.tsx')).ResendDialog,
);
const RepeatDialog = later(
  async () =>
    (
      await withTexts(
        ['recurringSendings'],
        () => import('../recurring-sendings/repeat-dialog.tsx'),
      )
    ).RepeatDialog,
);

/** `/messages/tasks/:id`: how a bulk goes or went, and what can be done now. */
export function BulkPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const refetchInterval = usePolling('tasks');
  const { data: task, error, refetch } = useQuery({ ...taskQuery(id), refetchInterval });
  const back = { to: '/messages/tasks', label: t('tasks:title') };
  if (task && !isBulk(task)) return <Navigate to={`/messages/tasks?id=${id}`} replace />;
  return (
    <>
      <PageHeader title={task?.title ?? t('bulk:title')} back={back}>
        {task && (
          <ReportSection
            where={{ groupId: id }}
            period=""
            since={task.startedAt ?? task.createdAt}
          />
        )}
      </PageHeader>
      {task ? (
        <BulkBody key={id} task={task} />
      ) : error ? (
        <ErrorCard title={t('tasks:detail.failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailsSkeleton />
      )}
    </>
  );
}

function BulkBody({ task }: { task: Bulk }) {
  const { t } = useTranslation();
  const can = useCan();
  const navigate = useNavigate();
  const { data: outcome } = useOutcome(task);
  const maySend = can('sendings.generate');
  const { variants } = task.data.sending;
  return (
    <Stack gap="md">
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Summary task={task} outcome={outcome} />
          {outcome && <Related outcome={outcome} />}
          <TaskSection task={task} onRemoved={() => void navigate('/messages/tasks')}>
            {maySend && (
              <Button
                component={Link}
                to={`/send?task=${task.id}`}
                variant="default"
                size="xs"
                leftSection={<IconCopy size={18} aria-hidden />}
              >
                {t('bulk:duplicate')}
              </Button>
            )}
            {maySend && <Repeat task={task} />}
          </TaskSection>
          {maySend && outcome && <SendAgain task={task} outcome={outcome} />}
        </Stack>
      </Paper>
      {variants && outcome?.variants && (
        <Card title={t('bulk:texts.title')}>
          <TwoTexts task={task} variants={variants} figures={outcome.variants} />
        </Card>
      )}
      {outcome && outcome.attempts.length > 0 && (
        <Card title={t('bulk:attempts')}>
          <AttemptsTable attempts={outcome.attempts} />
        </Card>
      )}
      <div className={classes.columns}>
        <Reasons task={task} />
        {outcome && outcome.timeline.steps.length > 0 && (
          <Card title={t('bulk:timeline.title')}>
            <Timeline timeline={outcome.timeline} />
          </Card>
        )}
        {outcome && outcome.operators.length > 0 && (
          <Card title={t('bulk:operators.title')}>
            <OperatorsTable operators={outcome.operators} />
          </Card>
        )}
        {outcome && outcome.attempts.length > 0 && <Cost task={task} outcome={outcome} />}
        {outcome && (outcome.links.length > 0 || outcome.clickedBy !== null) && (
          <Clicks task={task} outcome={outcome} />
        )}
        <Card title={t('bulk:sent')}>
          <Sent task={task} />
        </Card>
      </div>
      {can('sendings.get') && (
        <section aria-labelledby="bulk-recipients">
          <Title order={2} size="h4" mb="sm" id="bulk-recipients">
            {t('tasks:counters')}
          </Title>
          <RecipientsSection
            groupId={task.id}
            title={t('tasks:counters')}
            tellsWhoClicked={outcome?.clickedBy != null}
          />
        </section>
      )}
    </Stack>
  );
}

interface OutcomeProps {
  task: Bulk;
  outcome: TaskOutcome;
}

/** The bulk in one line: how many were reached, what it cost, and how many can be tried again. */
function Summary({ task, outcome }: { task: Bulk; outcome: TaskOutcome | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats(task.Owner?.currency);
  const { expected, completed, cancelled } = task.meta.counters;
  const number = formats.number;
  // Those whom a stop has spared are in no share.
  const total = Math.max(0, expected - cancelled);
  const parts = [
    task.state === 'scheduled' && !completed
      ? t('bulk:planned', { count: total, number: number(total) })
      : t('bulk:reached', {
          reached: number(completed),
          total: number(total),
          percent: formats.percent(total ? completed / total : 0),
        }),
    outcome && formats.money(outcome.cost.spent + outcome.cost.reserved),
    outcome &&
      outcome.cost.covered > 0 &&
      t('send:coveredByPackages', { number: number(outcome.cost.covered) }),
    outcome &&
      outcome.retry.count > 0 &&
      t('bulk:toTryAgain', { count: outcome.retry.count, number: number(outcome.retry.count) }),
  ];
  return (
    <Text size="xl" fw={600} className="numeric" data-summary>
      {parts.filter(Boolean).join(' · ')}
    </Text>
  );
}

/** The bulk whose recipients this one is sent to, and those to its own. */
function Related({ outcome: { origin, resends } }: { outcome: TaskOutcome }) {
  const { t } = useTranslation();
  if (!origin && !resends.length) return null;
  const link = ({ id, title }: { id: string; title: string }) => (
    <Anchor key={id} component={Link} to={`/messages/tasks/${id}`} inherit>
      {title}
    </Anchor>
  );
  return (
    <div>
      {origin && (
        <Text size="sm">
          {t(`bulk:origin.${origin.audience}`)} {link(origin)}
        </Text>
      )}
      {resends.length > 0 && (
        <Text size="sm">
          {t('bulk:resends')} {separated(resends.map(link))}
        </Text>
      )}
    </div>
  );
}

const separated = (links: ReactNode[]) =>
  links.flatMap((link, n) => (n > 0 ? [', ', link] : [link]));

/** The same bulk again and again, for the account of the user. */
function Repeat({ task }: { task: Bulk }) {
  const { t } = useTranslation();
  const { OwnerId } = useSettings().session;
  const [isOpen, setOpen] = useState<boolean>();
  if (task.OwnerId !== OwnerId) return null;
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconRepeat size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('bulk:repeat')}
      </Button>
      {isOpen !== undefined && (
        <RepeatDialog task={task} opened={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

/** What the cabinet says of those who are left out of a bulk to the failed; its own dialog says it of the others. */
const LEFT_OUT = ['unsubscribed', 'reached'] as const;

/** The message again, by the same channel or another, to those whom it did not reach, or who did not click or open it. */
function SendAgain({ task, outcome }: OutcomeProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const errors = useTaskErrors(task);
  const leftOut = LEFT_OUT.flatMap((reason) => {
    const n = outcome.retry[reason];
    return n > 0 ? [t(`bulk:leftOut.${reason}`, { count: n, number: formats.number(n) })] : [];
  });
  const code = errors?.data[0]?.code ?? null;
  const { retry, unclicked, unseen } = outcome;
  if (!retry.count && !leftOut.length && !unclicked?.count && !unseen?.count) return null;
  return (
    <Group gap="sm">
      <SendAgainTo task={task} audience="failed" count={retry.count} code={code} />
      {leftOut.length > 0 && (
        <Text size="sm" c="dimmed" className="numeric">
          {leftOut.join(' ')}
        </Text>
      )}
      <SendAgainTo task={task} audience="unclicked" count={unclicked?.count ?? 0} code={null} />
      <SendAgainTo task={task} audience="unseen" count={unseen?.count ?? 0} code={null} />
    </Group>
  );
}

interface SendAgainToProps {
  task: Bulk;
  audience: ResendAudience;
  count: number;
  /** Why most of them failed. */
  code: string | null;
}

const RECIPIENTS = {
  failed: (id: string) => ({ failedOf: id }),
  unclicked: (id: string) => ({ unclickedOf: id }),
  unseen: (id: string) => ({ unseenOf: id }),
} satisfies Record<ResendAudience, unknown>;

function SendAgainTo({ task, audience, count, code }: SendAgainToProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const { linksUrl } = useSettings().sendings;
  const [isOpen, setOpen] = useState(false);
  if (!count) return null;
  const { type, payload, options } = task.data.sending as unknown as Pick<
    Sending,
    'type' | 'payload'
  > & { options?: { tellsWhoClicked?: boolean } };
  return (
    <>
      <Button
        variant={audience === 'failed' ? 'filled' : 'default'}
        leftSection={<IconRefresh size={18} aria-hidden />}
        onClick={() => setOpen(true)}
        classNames={{ root: classes.again, label: classes.againLabel }}
      >
        {t(`bulk:again.${audience}`, { count, number: formats.number(count) })}
      </Button>
      <ResendDialog
        sending={{
          id: task.id,
          OwnerId: task.OwnerId,
          type,
          payload,
          recipient: RECIPIENTS[audience](task.id),
          title: t('bulk:againTitle', { title: task.title }),
          tellsWhoClicked: options?.tellsWhoClicked && linksUrl !== null,
          state: { code },
        }}
        opened={isOpen}
        onClose={() => setOpen(false)}
        onSent={(id) => void navigate(`/messages/tasks/${id}`)}
      />
    </>
  );
}

function Reasons({ task }: { task: Bulk }) {
  const errors = useTaskErrors(task);
  if (!errors?.data.length && !errors?.others) return null;
  return (
    <Paper withBorder p="md">
      <TaskErrors task={task} />
    </Paper>
  );
}

function Cost({ task, outcome: { cost } }: OutcomeProps) {
  const { t } = useTranslation();
  const formats = useFormats(task.Owner?.currency);
  const time = (iso: string | null) => iso && <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  return (
    <Card title={t('bulk:cost.title')}>
      <Facts
        facts={[
          { label: t('bulk:cost.spent'), value: formats.money(cost.spent) },
          {
            label: t('bulk:cost.reserved'),
            value: cost.reserved > 0 && formats.money(cost.reserved),
          },
          { label: t('bulk:cost.refunded'), value: formats.money(cost.refunded) },
          { label: t('bulk:cost.charged'), value: formats.money(cost.charged) },
          {
            label: t('bulk:cost.covered'),
            value: cost.covered > 0 && formats.number(cost.covered),
          },
          { label: t('tasks:detail.startedAt'), value: time(task.startedAt) },
          { label: t('tasks:detail.finishedAt'), value: time(task.finishedAt) },
        ]}
      />
    </Card>
  );
}

/** Clicks of each link, and how many recipients they are of: a share of those who were reached. */
function Clicks({ task, outcome: { links, clickedBy } }: OutcomeProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { completed } = task.meta.counters;
  return (
    <Card title={t('bulk:clicks')}>
      <Facts
        facts={[
          {
            label: t('bulk:whoClicked'),
            value: clickedBy !== null && (
              <span className="numeric">
                {formats.number(clickedBy)}
                {completed > 0 && ` (${formats.percent(clickedBy / completed)})`}
              </span>
            ),
          },
          ...links.map(({ shortUrl, url, clicks, clickedBy: people }) => ({
            label: shortUrl,
            value: (
              <>
                <span className="numeric">
                  {formats.number(clicks ?? 0)}
                  {people !== null &&
                    ` · ${t('bulk:clickedBy', { count: people, number: formats.number(people) })}`}
                </span>
                <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {url}
                </Text>
              </>
            ),
          })),
        ]}
      />
    </Card>
  );
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" miw={0}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
