import type { Sendername } from '@heliograph/contract';
import { Alert, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle } from '../../ui/icons.ts';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';

/** A name with its moderation state and comments. Private comments are sent only to users who may read them. */
export function SendernameDetails({ row }: { row: Sendername }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { meta, moderation } = row;
  const time = (iso: string) => <time dateTime={iso}>{formats.dateTime(iso)}</time>;
  const commentOf = (text: string | null | undefined) =>
    text && <span style={{ whiteSpace: 'pre-wrap' }}>{text}</span>;
  const isRejected = moderation === 'rejected';
  const why = [meta.adminComment, meta.resellerComment].filter(Boolean);
  return (
    <Stack>
      <Group gap="sm">
        <ModerationBadge state={moderation} label={t(`sendernames:moderation.${moderation}`)} />
        {moderation === 'pending' && (
          <Text size="sm" c="dimmed">
            {t('sendernames:pendingSince', { since: formats.dateTime(row.updatedAt) })}
          </Text>
        )}
      </Group>
      {isRejected && (
        <Alert
          color="red"
          icon={<IconAlertTriangle aria-hidden />}
          title={t('sendernames:whyRejected')}
        >
          {why.length ? why.map((text) => <div key={text}>{text}</div>) : t('sendernames:noReason')}
        </Alert>
      )}
      <Facts
        facts={[
          { label: t('sendernames:name'), value: row.name },
          { label: t('sendernames:type'), value: t(`common:type.${row.type}`) },
          {
            label: t('sendernames:inUse'),
            // A rejected name is offered nowhere, whatever its switch says.
            value: !isRejected && t(row.isActive ? 'sendernames:offered' : 'sendernames:inactive'),
          },
          { label: t('sendernames:owner'), value: row.Owner?.username },
          { label: t('sendernames:comment'), value: commentOf(meta.comment) },
          {
            label: t('sendernames:adminComment'),
            value: !isRejected && commentOf(meta.adminComment),
          },
          {
            label: t('sendernames:resellerComment'),
            value: !isRejected && commentOf(meta.resellerComment),
          },
          {
            label: t('sendernames:adminPrivateComment'),
            value: commentOf(meta.adminPrivateComment),
          },
          {
            label: t('sendernames:resellerPrivateComment'),
            value: commentOf(meta.resellerPrivateComment),
          },
          { label: t('sendernames:created'), value: time(row.createdAt) },
          { label: t('sendernames:updated'), value: time(row.updatedAt) },
          { label: t('sendernames:id'), value: <CopyId id={row.id} /> },
        ]}
      />
    </Stack>
  );
}
