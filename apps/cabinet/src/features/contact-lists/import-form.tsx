import { Alert, Button, FileInput, Group, Loader, Stack, Text } from '@mantine/core';
import { useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, requestId, ruleText } from '../../core/errors.ts';
import { keyKeeper } from '../../core/idempotency.ts';
import { useSettings } from '../../core/settings.ts';
import { useImportContacts } from './contact-lists.api.ts';
import { ImportResult } from './import-result.tsx';

const SHEETS =
  '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function ImportForm({ listId, onClose }: { listId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { storage } = useSettings();
  const [file, setFile] = useState<File | null>(null);
  const [asked, setAsked] = useState(false);
  const keys = useRef(keyKeeper());
  const { mutate, data, error, isPending, reset } = useImportContacts(listId);
  const megabytes = Math.floor(storage.maxSize / 1024 / 1024);
  const tooLarge = !!file && file.size > storage.maxSize;
  const fault =
    tooLarge || (asked && !file) ? t('errors:rule.file', { size: megabytes }) : undefined;
  const id = requestId(error);
  // The file is the only field, so a fault of any field is a fault of the file.
  const [wrong] = fieldErrors(error);
  const whatFailed = () => {
    if (!wrong) return errorText(t, error);
    return wrong.path === 'columns' ? t('contactLists:columnsHint') : ruleText(t, wrong.rule);
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!file || tooLarge) return;
    const key = keys.current.keyFor([listId, file.name, file.size, file.lastModified]);
    mutate({ file, key }, { onSuccess: () => keys.current.forget() });
  };
  const again = () => {
    setFile(null);
    setAsked(false);
    reset();
  };

  if (data) return <ImportResult report={data} onAgain={again} onClose={onClose} />;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('contactLists:importHint')}</Text>
        {!!error && (
          <Alert color="red" role="alert" title={whatFailed()}>
            {id ? t('errors:requestId', { id }) : null}
          </Alert>
        )}
        <FileInput
          label={t('contactLists:file')}
          description={t('contactLists:fileHint', { size: megabytes })}
          placeholder={t('contactLists:chooseFile')}
          accept={SHEETS}
          required
          clearable
          clearButtonProps={{ 'aria-label': t('contactLists:clearFile') }}
          value={file}
          onChange={setFile}
          error={fault}
          disabled={isPending}
          data-autofocus
        />
        <div role="status">
          {isPending && (
            <Group gap="xs">
              <Loader size="xs" aria-hidden />
              <Text size="sm">{t('contactLists:importing')}</Text>
            </Group>
          )}
        </div>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('contactLists:importSubmit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
