import type { TemplateRow, TemplateVersion } from '@heliograph/contract';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useFormats } from '../../core/use-formats.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { ModerationBadge } from '../../ui/moderation-badge.tsx';
import { templateVersionsQuery, useUpdateTemplate, type TemplateDraft } from './templates.api.ts';

interface TemplateVersionsProps {
  row: TemplateRow;
  /** The number of the version that was made of it. */
  onPutBack: (version: number) => void;
}

/** What a template said before, to compare and to put back. */
export function TemplateVersions({ row, onPutBack }: TemplateVersionsProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<TemplateVersion | null>(null);
  const versions = useQuery({ ...templateVersionsQuery(row.id, row.version), enabled: isOpen });
  const { mutate, isPending } = useUpdateTemplate(row.id);
  if (row.version === 1) return null;
  const putBack = ({ version, type, payload, fallbacks, translations }: TemplateVersion) =>
    mutate({ type, payload, fallbacks, translations } as Partial<TemplateDraft>, {
      onSuccess(row) {
        setChosen(null);
        onPutBack(row.version);
        showSuccess(t('templates:versions.done', { number: version }));
      },
    });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('templates:versions.title')}</summary>
      <Stack component="ol" gap="sm" mt="sm" p={0} style={{ listStyle: 'none' }}>
        {versions.data?.slice(1).map((one) => (
          <Version
            key={one.version}
            version={one}
            onPutBack={can('templates.update') ? () => setChosen(one) : undefined}
          />
        ))}
      </Stack>
      {versions.isError && (
        <ErrorCard
          title={t('templates:versions.failed')}
          error={versions.error}
          onRetry={() => void versions.refetch()}
        />
      )}
      <ConfirmDialog
        opened={chosen !== null}
        title={t('templates:versions.question', { number: chosen?.version })}
        action={t('templates:versions.putBack')}
        busy={isPending}
        onClose={() => setChosen(null)}
        onConfirm={() => putBack(chosen!)}
      >
        {t('templates:versions.text')}
      </ConfirmDialog>
    </details>
  );
}

interface VersionProps {
  version: TemplateVersion;
  onPutBack?: () => void;
}

function Version({ version, onPutBack }: VersionProps) {
  const { t } = useTranslation();
  const { dateTime, language } = useFormats();
  const { version: number, type, payload, fallbacks, translations, moderation, Author } = version;
  const title = t('templates:versions.number', { number });
  const parts = [
    t(`common:type.${type}`),
    ...fallbacks.map((one) => t(`common:type.${one.type}`)),
  ].join(' → ');
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <ModerationBadge state={moderation} label={t(`templates:moderation.${moderation}`)} />
      </Group>
      <Text size="xs" c="dimmed" mt={2}>
        <time dateTime={version.writtenAt}>{dateTime(version.writtenAt)}</time>
        {Author && ` · ${Author.username}`}
      </Text>
      <Text size="xs" c="dimmed">
        {[parts, ...translations.map(({ locale }) => language(locale))].join(' · ')}
      </Text>
      <Text size="sm" mt="xs" lineClamp={8} style={{ whiteSpace: 'pre-wrap' }}>
        {payload.text || t('templates:noText')}
      </Text>
      {onPutBack && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          aria-label={t('templates:versions.putBackOf', { number })}
          onClick={onPutBack}
        >
          {t('templates:versions.putBack')}
        </Button>
      )}
    </Paper>
  );
}
