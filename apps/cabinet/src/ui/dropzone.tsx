import { PRESET_RULES, type FilePreset } from '@heliograph/domain';
import { Button, FileButton, Text } from '@mantine/core';
import { useEffect, useId, useRef, useState, type DragEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from './cx.ts';
import classes from './dropzone.module.css';
import { IconUpload } from './icons.ts';
import { UploadList } from './upload-list.tsx';
import { useUploads, type Send } from './use-uploads.ts';
import { isCovered } from '../core/forms/on-top.ts';
import { useFormats } from '../core/use-formats.ts';

interface DropzoneProps<T> {
  preset: FilePreset;
  /** Those of the preset if absent. */
  extensions?: readonly string[];
  /** In bytes; the limit of the installation. */
  maxSize: number;
  send: Send<T>;
  onSent: (stored: T) => void;
  /** Takes one file at a time. */
  isSingle?: boolean;
  disabled?: boolean;
}

/**
 * Takes files that are dropped, pasted or chosen, and sends them one after another with progress, each of which can be
 * cancelled. What cannot be accepted is refused before it is sent. Texts are in the namespace `storage`.
 */
export function Dropzone<T>({
  preset,
  extensions = PRESET_RULES[preset].extensions,
  maxSize,
  send,
  onSent,
  isSingle,
  disabled,
}: DropzoneProps<T>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const hintId = useId();
  const [isOver, setOver] = useState(false);
  const { uploads, add, cancel, dismiss } = useUploads({
    preset,
    extensions,
    maxSize,
    send,
    onSent,
  });
  const take = (files: Iterable<File> | null) => {
    if (disabled || !files) return;
    const all = [...files];
    add(isSingle ? all.slice(0, 1) : all);
  };
  const zone = useRef<HTMLDivElement>(null);
  usePaste(zone, take);
  const limit = Math.min(maxSize, PRESET_RULES[preset].maxSize);
  const size = formats.bytes(limit);
  return (
    <div ref={zone}>
      <div
        className={cx(classes.zone, isOver && classes.over)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={(event) => isLeft(event) && setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <IconUpload size={28} stroke={1.5} aria-hidden />
        <Text size="sm">{t(isSingle ? 'storage:dropOne' : 'storage:drop')}</Text>
        <FileButton
          onChange={(files) => take(Array.isArray(files) ? files : files && [files])}
          accept={extensions.map((extension) => `.${extension}`).join(',') || undefined}
          multiple={!isSingle}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={disabled}
              aria-describedby={hintId}
              data-autofocus
            >
              {t(isSingle ? 'storage:chooseOne' : 'storage:choose')}
            </Button>
          )}
        </FileButton>
        <Text size="xs" c="dimmed" id={hintId}>
          {extensions.length
            ? t('storage:accepts', {
                formats: extensions.map((one) => one.toUpperCase()).join(', '),
                size,
              })
            : t('storage:acceptsAll', { size })}
        </Text>
      </div>
      <UploadList uploads={uploads} maxSize={limit} onCancel={cancel} onDismiss={dismiss} />
    </div>
  );
}

/** Not when the pointer goes over a part of the zone. */
const isLeft = ({ currentTarget, relatedTarget }: DragEvent): boolean =>
  !currentTarget.contains(relatedTarget as Node | null);

/** Files that are pasted anywhere but into a field, unless a dialog is open over the zone. */
function usePaste(zone: RefObject<HTMLElement | null>, take: (files: FileList) => void): void {
  useEffect(() => {
    const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
      const isField = target instanceof Element && !!target.closest('input, textarea');
      const isFor = !isField && !!zone.current && !isCovered(zone.current);
      if (isFor && clipboardData?.files.length) take(clipboardData.files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  });
}
