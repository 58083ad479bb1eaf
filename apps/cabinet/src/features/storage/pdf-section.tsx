import { ActionIcon, Group, Loader, Text } from '@mantine/core';
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist';
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileBytes } from '../../core/file-url.ts';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons.ts';
import classes from './file-preview.module.css';

GlobalWorkerOptions.workerSrc = workerUrl;

/** In pixels; wider than the drawer, for screens of a high density. */
const PAGE_WIDTH = 1200;

/**
 * Pages of a PDF, painted one at a time. Not a frame with the browser's own viewer: downloads are sandboxed attachments, which it
 * does not show, and phones have none.
 */
export function PdfPreview({ file }: { file: { id: string; title: string } }) {
  const { t } = useTranslation();
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [page, setPage] = useState(1);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const opening = fileBytes(file.id, leaving.signal).then(
      (data) => getDocument({ data }).promise,
    );
    opening.then(
      (opened) => !leaving.signal.aborted && setPdf(opened),
      () => !leaving.signal.aborted && setBroken(true),
    );
    return () => {
      leaving.abort();
      opening.then(
        (opened) => opened.loadingTask.destroy(),
        () => undefined,
      );
    };
  }, [file.id]);
  if (isBroken)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t('storage:preview.failed')}
      </Text>
    );
  if (!pdf) return <Loader size="sm" />;
  const pages = pdf.numPages;
  const place = t('storage:preview.page', { page, pages });
  return (
    <>
      <PdfPage pdf={pdf} page={page} label={`${file.title}. ${place}`} onError={setBroken} />
      {pages > 1 && (
        <Group justify="center" gap="xs" mt="xs">
          <ActionIcon
            variant="default"
            aria-label={t('storage:preview.previous')}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <Text size="xs" className="numeric" role="status">
            {place}
          </Text>
          <ActionIcon
            variant="default"
            aria-label={t('storage:preview.next')}
            disabled={page === pages}
            onClick={() => setPage(page + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </>
  );
}

interface PdfPageProps {
  pdf: PDFDocumentProxy;
  page: number;
  label: string;
  onError: (isBroken: true) => void;
}

function PdfPage({ pdf, page, label, onError }: PdfPageProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let isLeft = false;
    let cancel: (() => void) | undefined;
    const paint = async () => {
      const shown = await pdf.getPage(page);
      const canvas = ref.current;
      if (isLeft || !canvas) return;
      const viewport = shown.getViewport({
        scale: PAGE_WIDTH / shown.getViewport({ scale: 1 }).width,
      });
      canvas.width = viewport.width;
      canvas.height = viewport.height;
      const task = shown.render({ canvas, viewport });
      cancel = () => task.cancel();
      await task.promise;
    };
    paint().catch(() => !isLeft && onError(true));
    return () => {
      isLeft = true;
      cancel?.();
    };
  }, [pdf, page, onError]);
  return (
    // It scrolls, so the keyboard has to reach it.
    <div className={classes.frame} tabIndex={0} role="group" aria-label={label}>
      <canvas ref={ref} className={classes.page} role="img" aria-label={label} />
    </div>
  );
}
