import type { TemplateRow } from '@heliograph/contract';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Blurred } from '../../ui/blurred.tsx';
import { CopyId } from '../../ui/copy-id.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IconAlertTriangle, IconClock, IconSend } from '../../ui/icons.ts';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { isUsable } from './templates.api.ts';
import { buttonsOf, kindsOf } from './template-values.ts';

/** A template's state, parts, id for the API, and a link to send it. */
export function TemplateFacts({ row }: { row: TemplateRow }) {
  const { t } = useTranslation();
  const can = useCan();
  const formats = useFormats();
  const { OwnerId } = useSettings().session;
  // Lists, files and names of a sending are the account's own.
  const mayMend = can('sendings.generate') && can('templates.update') && row.OwnerId === OwnerId;
  const mayUse = isUsable(row);
  return (
    <Stack>
      <Group justify="space-between">
        <ModerationBadge
          state={row.moderation}
          label={t(`templates:moderation.${row.moderation}`)}
        />
        <Group gap="xs">
          {mayMend && (
            <Button component={Link} to={`/send/${row.id}?edit=true`} variant="default">
              {t('templates:editInSend')}
            </Button>
          )}
          {can('sendings.generate') && (
            <Button
              component={Link}
              to={`/send/${row.id}`}
              leftSection={<IconSend size={18} aria-hidden />}
              data-disabled={!mayUse || undefined}
              aria-disabled={!mayUse || undefined}
              onClick={(event) => !mayUse && event.preventDefault()}
            >
              {t('templates:use')}
            </Button>
          )}
        </Group>
      </Group>
      {row.comment && (
        <Alert
          color={row.moderation === 'rejected' ? 'red' : 'gray'}
          icon={<IconAlertTriangle aria-hidden />}
          title={t('templates:moderatorSays')}
        >
          {row.comment}
        </Alert>
      )}
      {row.recipients && (
        <Alert color="gray" icon={<IconClock aria-hidden />}>
          {t('templates:warnings.schedule')}
        </Alert>
      )}
      <Facts
        facts={[
          { label: t('templates:id'), value: <CopyId id={row.id} /> },
          { label: t('templates:version'), value: formats.number(row.version) },
          {
            label: t('templates:owner'),
            value: row.Owner && <Blurred what={t('templates:owner')}>{row.Owner.username}</Blurred>,
          },
          {
            label: t('templates:recipients'),
            value:
              row.recipients &&
              t('templates:recipientsOf', {
                included: formats.number(row.recipients.include),
                excluded: formats.number(row.recipients.exclude),
              }),
          },
          { label: t('templates:buttons'), value: buttonsOf(row).join(', ') },
          {
            label: t('templates:files'),
            value: kindsOf(row)
              .map((kind) => t(`templates:file.${kind}`))
              .join(', '),
          },
          { label: t('templates:group'), value: t(`common:group.${row.group}`) },
          { label: t('templates:voice'), value: row.payload.tts },
          {
            label: t('templates:fallbacks'),
            value: row.fallbacks.map((f) => t(`common:type.${f.type}`)).join(' → '),
          },
          {
            label: t('templates:created'),
            value: <time dateTime={row.createdAt}>{formats.dateTime(row.createdAt)}</time>,
          },
          {
            label: t('templates:updated'),
            value: <time dateTime={row.updatedAt}>{formats.dateTime(row.updatedAt)}</time>,
          },
        ]}
      />
    </Stack>
  );
}
