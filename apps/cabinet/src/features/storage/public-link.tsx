import type { StoredFile } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { IconCheck, IconCopy, IconLink } from '../../ui/icons.ts';
import { useUpdateFile } from './storage.api.ts';

/** The address at which everybody may download the file, while there is one. */
export function PublicLink({ file }: { file: StoredFile }) {
  const { t } = useTranslation();
  const can = useCan();
  const { mutate, isPending, error } = useUpdateFile(file.id);
  const mayChange = can('storage.update');
  if (!file.url && !mayChange) return null;
  const withdraw = () =>
    mutate({ isPublic: false }, { onSuccess: () => showSuccess(t('storage:link.withdrawn')) });
  return (
    <Stack gap="xs" component="section" aria-label={t('storage:link.title')}>
      {file.url ? (
        <>
          <TextInput
            label={t('storage:link.title')}
            description={t('storage:link.text')}
            value={file.url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group gap="xs">
            <CopyButton value={file.url}>
              {({ copied, copy }) => (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={
                    copied ? (
                      <IconCheck size={16} aria-hidden />
                    ) : (
                      <IconCopy size={16} aria-hidden />
                    )
                  }
                  onClick={copy}
                >
                  {copied ? t('common:copied') : t('storage:link.copy')}
                </Button>
              )}
            </CopyButton>
            {mayChange && (
              <Button size="xs" variant="default" loading={isPending} onClick={withdraw}>
                {t('storage:link.withdraw')}
              </Button>
            )}
          </Group>
        </>
      ) : (
        <>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconLink size={16} aria-hidden />}
              loading={isPending}
              onClick={() => mutate({ isPublic: true })}
            >
              {t('storage:link.create')}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            {t('storage:link.text')}
          </Text>
        </>
      )}
      {!!error && (
        <Alert color="red" role="alert">
          {errorText(t, error)}
        </Alert>
      )}
    </Stack>
  );
}
