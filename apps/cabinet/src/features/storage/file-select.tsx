import type { StoredFile } from '@heliograph/contract';
import type { FilePreset } from '@heliograph/domain';
import { Alert, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { FIND_DEBOUNCE_MS } from '../../core/list-request.ts';
import { keysOf } from '../../core/query-keys.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { upload } from '../../core/upload.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dropzone } from '../../ui/dropzone.tsx';
import { IconSearch } from '../../ui/icons.ts';
import { PageButtons } from '../../ui/page-buttons.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './file-select.module.css';
import { pickerPages, pickerQuery } from './storage.api.ts';

interface FileSelectProps {
  preset: FilePreset;
  /** MIME types of the files that are offered; those of the preset if absent. */
  types?: string[];
  /** Extensions of the files that can be uploaded; those of the preset if absent. */
  extensions?: string[];
  /** Why a file will not do, in words; null if it will. */
  misfit?: (file: StoredFile) => string | null;
  disabled?: boolean;
  onPick: (file: StoredFile) => void;
}

const suitsAlways = () => null;

/** Chooses a stored file, twelve to a page, or uploads another one in place. */
export function FileSelect({
  preset,
  types,
  extensions,
  misfit = suitsAlways,
  disabled,
  onPick,
}: FileSelectProps) {
  const can = useCan();
  const client = useQueryClient();
  const { maxSize } = useSettings().storage;
  const [refusal, setRefusal] = useState<string | null>(null);
  const take = (file: StoredFile) => {
    void client.invalidateQueries({ queryKey: keysOf('storage').all });
    const why = misfit(file);
    setRefusal(why);
    if (!why) onPick(file);
  };
  return (
    <Stack>
      {can('storage.create') && (
        <Dropzone
          preset={preset}
          extensions={extensions}
          maxSize={maxSize}
          send={(file, onProgress, signal) => upload(file, onProgress, signal, preset)}
          onSent={take}
          isSingle
          disabled={disabled}
        />
      )}
      {refusal && (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      )}
      {can('storage.get') && (
        <StoredFiles
          preset={preset}
          types={types}
          misfit={misfit}
          disabled={disabled}
          onPick={onPick}
        />
      )}
    </Stack>
  );
}

function StoredFiles({ preset, types, misfit = suitsAlways, disabled, onPick }: FileSelectProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { OwnerId } = useSettings().session;
  const [page, setPage] = useState(1);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), FIND_DEBOUNCE_MS);
  const { data, error } = useQuery(
    pickerQuery({ OwnerId, preset: types ? undefined : preset, types, search, page }),
  );
  const pages = pickerPages(data?.total);
  return (
    <section aria-label={t('storage:picker.stored')}>
      <TextInput
        label={t('storage:picker.stored')}
        placeholder={t('storage:search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        disabled={disabled}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
      />
      {!!error && (
        <Alert color="red" mt="xs">
          {errorText(t, error)}
        </Alert>
      )}
      {!data && !error && <Skeleton height={200} mt="xs" />}
      {data?.data.length === 0 && (
        <Text size="sm" mt="xs" role="status">
          {t('storage:picker.none')}
        </Text>
      )}
      <ul className={classes.files}>
        {data?.data.map((file) => {
          const why = misfit(file);
          return (
            <li key={file.id}>
              <button
                type="button"
                className={classes.file}
                disabled={!!why || disabled}
                onClick={() => onPick(file)}
              >
                <span className={classes.title}>{file.title}</span>
                <span className={classes.aside}>
                  {why} {formats.bytes(file.size)} · <Time at={file.createdAt} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <PageButtons
        page={page}
        pages={pages}
        previous={t('storage:preview.previous')}
        next={t('storage:preview.next')}
        place={t('storage:picker.page', { page, pages })}
        onChange={setPage}
        mt="xs"
      />
    </section>
  );
}
