import { ApiError, type SendingType } from '@heliograph/contract';
import type { MediaField } from '@heliograph/domain';
import { Alert, Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../../core/i18n/i18n.ts';
import { useCan } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { FileLink } from '../../../ui/file-link.tsx';
import { IconFile, IconPlus, IconTrash } from '../../../ui/icons.ts';
import { later } from '../../../ui/later.tsx';
import { fileQuery } from '../../storage/file.api.ts';

const AudioPlayer = later(async () => (await import('./audio-player.tsx')).AudioPlayer);
const FilePicker = later(
  async () => (await withTexts(['storage'], () => import('./file-picker.tsx'))).FilePicker,
);

interface AttachmentFieldProps {
  label: string;
  type: SendingType;
  /** The media fields that this control fills; the file is set on the one that takes its type. */
  media: readonly MediaField[];
  value: string | null;
  onChange: (id: string | null, media: MediaField) => void;
  error?: ReactNode;
  field: string;
}

/** A stored file that is sent with the message. */
export function AttachmentField({
  label,
  type,
  media,
  value,
  onChange,
  error,
  field,
}: AttachmentFieldProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [picking, setPicking] = useState(false);
  const place = { type, fields: media };
  if (!can('storage.get') && !can('storage.create')) return null;
  return (
    <div data-path={field}>
      {value ? (
        <Chosen id={value} label={label} onRemove={() => onChange(null, media[0]!)} />
      ) : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setPicking(true)}
          aria-invalid={!!error}
        >
          {label}
        </Button>
      )}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">
          {error}
        </Text>
      )}
      {picking && (
        <FilePicker
          place={place}
          title={label}
          onClose={() => setPicking(false)}
          onPick={(file, kind) => {
            setPicking(false);
            onChange(file.id, kind);
          }}
        />
      )}
      <span className="visually-hidden">{value ? t('send:fileChosen') : ''}</span>
    </div>
  );
}

function Chosen({ id, label, onRemove }: { id: string; label: string; onRemove: () => void }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data, error } = useQuery(fileQuery(id));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Alert color="red" title={t('send:fileGone')}>
        <Button size="xs" variant="default" onClick={onRemove}>
          {t('send:removeFile', { title: label })}
        </Button>
      </Alert>
    );
  }
  return (
    <Paper withBorder p="xs">
      <Group gap="sm" wrap="nowrap">
        <IconFile size={20} aria-hidden />
        <div style={{ flex: 1, minWidth: 0 }}>
          <FileLink fileId={id} size="sm" truncate display="block" maw="100%">
            {data?.title ?? label}
          </FileLink>
          {data && (
            <Text size="xs" c="dimmed">
              {formats.bytes(data.size)}
              {data.seconds !== null && ` · ${t('send:seconds', { count: data.seconds })}`}
            </Text>
          )}
        </div>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          aria-label={t('send:removeFile', { title: data?.title ?? label })}
          onClick={onRemove}
        >
          {t('send:remove')}
        </Button>
      </Group>
      {data?.type.startsWith('audio/') && (
        <div style={{ marginTop: 8 }}>
          <AudioPlayer fileId={id} title={data.title} seconds={data.seconds} />
        </div>
      )}
    </Paper>
  );
}
