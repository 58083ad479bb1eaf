import { storage, type StoredFile } from '@heliograph/contract';
import { Alert, Button, FileButton, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../../core/errors.ts';
import { useCan, useSettings } from '../../../../core/settings.ts';
import { findQuery } from '../../../../list/state/use-list.ts';
import { listSpec, manyOf, text } from '../../../../list/state/list-spec.ts';
import { IconImport, IconSearch } from '../../../../ui/icons.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { bytesText, fieldFor, misfitText, typesFor, type Place } from './file-kinds.ts';
import { UploadProgress } from '../../../../ui/upload-progress.tsx';
import { useUpload } from '../../../storage/storage.api.ts';
import { PageButtons } from '../form/page-buttons.tsx';
import classes from '../form/picker.module.css';

/** Specification, section 9. */
const PAGE_SIZE = 12;
const spec = listSpec(storage.find, {
  filters: { type: manyOf([]), OwnerId: text },
  order: ['createdAt'],
  search: true,
});

interface FilePickerProps {
  place: Place;
  title: string;
  onClose: () => void;
  onPick: (file: StoredFile) => void;
}

/** A file of the storage, or a new one. */
export function FilePicker({ place, title, onClose, onPick }: FilePickerProps) {
  const { t } = useTranslation();
  const can = useCan();
  const {
    session,
    storage: { maxSize },
  } = useSettings();
  const [page, setPage] = useState(1);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 100);
  const [tooLarge, setTooLarge] = useState(false);
  const types = typesFor(place);
  const { data, error } = useQuery({
    ...findQuery(spec, {
      offset: (page - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
      order: [{ field: 'createdAt', direction: 'desc' }],
      search: search || undefined,
      filter: { OwnerId: session.OwnerId, ...(types.length > 0 && { type: types }) },
    }),
    placeholderData: keepPreviousData,
    enabled: can('storage.get'),
  });
  const suits = (file: StoredFile) => fieldFor(place, file) !== null;
  const upload = useUpload((file) => suits(file) && onPick(file));
  const take = (file: File | null) => {
    if (!file) return;
    setTooLarge(file.size > maxSize);
    if (file.size <= maxSize) upload.start(file);
  };
  const fault = tooLarge
    ? t('errors:rule.file', { size: Math.floor(maxSize / 1024 / 1024) })
    : upload.stored && !suits(upload.stored)
      ? misfitText(t, place, upload.stored)
      : upload.error && errorText(t, upload.error);
  return (
    <Dialog opened onClose={onClose} title={title} size="lg">
      <Stack>
        {can('storage.create') && (
          <Group gap="sm">
            <FileButton onChange={take} accept={types.join(',') || undefined}>
              {(props) => (
                <Button
                  {...props}
                  loading={upload.progress !== null}
                  leftSection={<IconImport size={16} aria-hidden />}
                  data-autofocus
                >
                  {t('send:upload')}
                </Button>
              )}
            </FileButton>
            <Text size="xs" c="dimmed">
              {t('send:uploadHint', { size: Math.floor(maxSize / 1024 / 1024) })}
            </Text>
          </Group>
        )}
        <UploadProgress ratio={upload.progress} />
        {fault && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <TextInput
          aria-label={t('send:searchFiles')}
          placeholder={t('send:searchFiles')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPage(1);
          }}
        />
        {!!error && <Alert color="red">{errorText(t, error)}</Alert>}
        {!data && !error && <Skeleton height={200} />}
        {data?.data.length === 0 && <Text size="sm">{t('send:noFiles')}</Text>}
        <ul className={classes.list}>
          {data?.data.map((file) => (
            <li key={file.id}>
              <button
                type="button"
                className={classes.option}
                disabled={!suits(file)}
                onClick={() => onPick(file)}
              >
                <span>{file.title}</span>
                <span className={classes.aside}>
                  {!suits(file) && `${misfitText(t, place, file)} `}
                  {bytesText(t, file.size)}
                  {file.seconds !== null && ` · ${t('send:seconds', { count: file.seconds })}`}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <PageButtons
          page={page}
          pages={Math.ceil((data?.total ?? 0) / PAGE_SIZE)}
          onChange={setPage}
        />
      </Stack>
    </Dialog>
  );
}
