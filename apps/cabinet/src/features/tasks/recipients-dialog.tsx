import type { Task, TaskRecipients } from '@heliograph/contract';
import { Anchor, Code, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLast } from '../../core/use-last.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DetailBody } from '../../ui/detail.tsx';
import { contactListQuery } from '../contact-lists/contact-lists.api.ts';
import { taskRecipientsQuery } from './tasks.api.ts';

type Named = TaskRecipients['include'];

/** Whom a task was sent to: lists by title and id, and typed recipients, included and excluded. */
export function RecipientsDialog({ task, onClose }: { task: Task | null; onClose: () => void }) {
  const { t } = useTranslation();
  const last = useLast(task);
  const detail = useQuery({ ...taskRecipientsQuery(last?.id ?? ''), enabled: !!task });
  return (
    <Dialog
      opened={!!task}
      onClose={onClose}
      size={600}
      title={t('tasks:people.title', { title: last?.title })}
    >
      <DetailBody detail={detail} failed={t('tasks:people.failed')}>
        {({ include, exclude }) => (
          <Stack>
            <Part title={t('tasks:people.included')} named={include} />
            <Part title={t('tasks:people.excluded')} named={exclude} />
          </Stack>
        )}
      </DetailBody>
    </Dialog>
  );
}

const MAX_SHOWN = 100;

function Part({
  title,
  named: { lists, segments = [], recipients = [], count = recipients.length },
}: {
  title: string;
  named: Named;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!lists.length && !segments.length && !recipients.length) return null;
  const shown = recipients.slice(0, MAX_SHOWN);
  const more = count - shown.length;
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {lists.map((id) => (
          <li key={id}>
            <ListTitle id={id} />
          </li>
        ))}
        {segments.map((segment) => (
          <li key={segment.id}>
            <Text size="sm">{t('tasks:people.segment', { title: segment.title })}</Text>
          </li>
        ))}
      </Stack>
      {recipients.length > 0 && (
        <Text size="sm" className="numeric" mt={lists.length + segments.length ? 'xs' : 0}>
          <Blurred what={title}>{shown.join(', ')}</Blurred>
        </Text>
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('tasks:people.more', { count: more, number: formats.number(more) })}
        </Text>
      )}
    </section>
  );
}

/** A list may have been removed since; its id is still what was sent to. */
function ListTitle({ id }: { id: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const { data, isPending, isError } = useQuery({
    ...contactListQuery(id),
    enabled: can('contactLists.get'),
    retry: false,
  });
  return (
    <>
      {data ? (
        <Anchor component={Link} to={`/contacts/${id}`}>
          {data.title}
        </Anchor>
      ) : isError || !isPending ? (
        <Text size="sm" c="dimmed">
          {t('tasks:people.gone')}
        </Text>
      ) : (
        <Skeleton height={16} width={160} />
      )}
      {data || isError ? <CopyId id={id} /> : <Code>{id}</Code>}
    </>
  );
}
