import { CloseButton, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../core/errors.ts';
import { useFormats } from '../core/use-formats.ts';
import classes from './dropzone.module.css';
import type { UploadEntry } from './use-uploads.ts';

interface UploadListProps {
  uploads: UploadEntry[];
  /** In bytes. */
  maxSize: number;
  onCancel: (key: number) => void;
  onDismiss: (key: number) => void;
}

/** What becomes of each file, announced as it changes; progress is not announced step by step. */
export function UploadList({ uploads, maxSize, onCancel, onDismiss }: UploadListProps) {
  const { t } = useTranslation();
  const stateText = useStateText(maxSize);
  return (
    <>
      <ul className={classes.uploads} hidden={!uploads.length}>
        {uploads.map((upload) => {
          const { key, name, state, ratio } = upload;
          const isOpen = state === 'waiting' || state === 'sending';
          const isWrong = state === 'refused' || state === 'failed';
          return (
            <li key={key} className={classes.upload}>
              <div className={classes.name}>
                <Text size="sm" component="span">
                  {name}
                </Text>{' '}
                <Text
                  size="xs"
                  component="span"
                  c={isWrong ? 'var(--mantine-color-error)' : 'dimmed'}
                >
                  {stateText(upload)}
                </Text>
              </div>
              <CloseButton
                aria-label={t(isOpen ? 'storage:cancelUpload' : 'storage:dismiss', { name })}
                onClick={() => (isOpen ? onCancel(key) : onDismiss(key))}
              />
              {state === 'sending' && (
                <Progress
                  className={classes.bar}
                  value={ratio * 100}
                  animated={ratio >= 1}
                  aria-label={t('storage:progressOf', { name })}
                />
              )}
            </li>
          );
        })}
      </ul>
      <div role="status" className="visually-hidden">
        {uploads
          .filter(({ state }) => state !== 'waiting' && state !== 'sending')
          .map((upload) => t('common:labelled', { label: upload.name, value: stateText(upload) }))
          .join(' ')}
      </div>
    </>
  );
}

function useStateText(maxSize: number) {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ state, ratio, refusal, error }: UploadEntry): string => {
    if (state === 'waiting') return t('storage:upload.waiting');
    if (state === 'done') return t('storage:upload.done');
    if (state === 'refused')
      return t(`storage:upload.${refusal!}`, { size: formats.bytes(maxSize) });
    if (state === 'failed') return errorText(t, error);
    return ratio < 1 ? formats.percent(ratio) : t('storage:upload.storing');
  };
}
