import type { AuditRecord } from '@heliograph/contract';
import { Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { useLast } from '../../core/use-last.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { actionText, actorText, changesOf, fieldLabel } from './audit-words.ts';

interface AuditDialogProps {
  record: AuditRecord | null;
  onClose: () => void;
}

/** One record in full: who, as whom, what, before and after, from where. */
export function AuditDialog({ record, onClose }: AuditDialogProps) {
  const { t } = useTranslation();
  const shown = useLast(record);
  const title = shown && actionText(t, shown.action);
  return (
    <Dialog opened={!!record} onClose={onClose} size={800} title={title}>
      {shown && <Details record={shown} />}
    </Dialog>
  );
}

function Details({ record }: { record: AuditRecord }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { target, Owner, Token, ip, useragent, requestId, count, createdAt } = record;
  const who = t('audit:who');
  const hidden = (label: string, value: string | null | undefined) => ({
    label,
    value: value && <Blurred what={label}>{value}</Blurred>,
  });
  return (
    <Stack>
      <Facts
        facts={[
          { label: t('audit:when'), value: formats.dateTime(createdAt) },
          hidden(who, actorText(t, record)),
          { label: t('audit:token'), value: Token && (Token.prefix ?? Token.id) },
          hidden(t('list:owner'), Owner?.username),
          { label: t('audit:count'), value: count > 1 && formats.number(count) },
          {
            label: t('audit:target'),
            value: target && t(`audit:noun.${target.type}`, { defaultValue: target.type }),
          },
          { label: t('audit:targetId'), value: target?.id && <CopyId id={target.id} /> },
          hidden(t('audit:ip'), ip),
          hidden(t('audit:useragent'), useragent),
          { label: t('audit:requestId'), value: requestId && <CopyId id={requestId} /> },
        ]}
      />
      <Changes record={record} />
    </Stack>
  );
}

function Changes({ record }: { record: AuditRecord }) {
  const { t } = useTranslation();
  const changes = changesOf(record);
  if (!changes.length) return null;
  const caption = t('audit:changes');
  const value = (text: string) => (
    <Table.Td style={{ overflowWrap: 'anywhere' }}>
      {text ? (
        <Blurred what={caption}>{text}</Blurred>
      ) : (
        <Text span c="dimmed">
          —
        </Text>
      )}
    </Table.Td>
  );
  return (
    <Table aria-label={caption} layout="fixed" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('audit:field')}</Table.Th>
          <Table.Th>{t('audit:before')}</Table.Th>
          <Table.Th>{t('audit:after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ name, before, after }) => (
          <Table.Tr key={name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{fieldLabel(t, name)}</Table.Td>
            {value(before)}
            {value(after)}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
