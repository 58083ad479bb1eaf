import type { StoredFile } from '@heliograph/contract';
import { Loader, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFileUrl } from '../../core/file-url.ts';
import { later } from '../../ui/later.tsx';
import { previewKindOf } from './file-kind.ts';
import classes from './file-preview.module.css';

const ContentPreview = later(async () => (await import('./content-preview.tsx')).ContentPreview);
const PdfPreview = later(async () => (await import('./pdf-section.tsx')).PdfPreview);

/** What a file shows. Nothing in it is run: media are drawn by the browser, tables and texts are read by the server, PDFs are painted. */
export function FilePreview({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  const kind = previewKindOf(file.type);
  return (
    <section aria-label={t('storage:preview.title')}>
      {kind === null && (
        <Text size="sm" c="dimmed">
          {t('storage:preview.none')}
        </Text>
      )}
      {(kind === 'table' || kind === 'text') && <ContentPreview file={file} />}
      {kind === 'pdf' && <PdfPreview file={file} />}
      {(kind === 'image' || kind === 'audio' || kind === 'video') && (
        <MediaPreview file={file} kind={kind} />
      )}
    </section>
  );
}

interface MediaPreviewProps {
  file: StoredFile;
  kind: 'image' | 'audio' | 'video';
}

function MediaPreview({ file, kind }: MediaPreviewProps) {
  const { t } = useTranslation();
  const { url, renewExpired } = useFileUrl(file.id);
  /** The address that did not work: an expired one is replaced. */
  const [broken, setBroken] = useState<string>();
  const onError = () => {
    setBroken(url);
    renewExpired();
  };
  if (url && broken === url)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t('storage:preview.failed')}
      </Text>
    );
  if (!url) return <Loader size="sm" />;
  if (kind === 'image')
    return <img className={classes.image} src={url} alt={file.title} onError={onError} />;
  const Media = kind;
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <Media
      className={classes.media}
      src={url}
      controls
      preload="metadata"
      aria-label={file.title}
      onError={onError}
    />
  );
}
