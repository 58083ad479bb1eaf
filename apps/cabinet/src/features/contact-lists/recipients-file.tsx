import type { FileRecipients } from '@heliograph/contract';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { FileSelect } from '../storage/file-select.tsx';
import { useFileRecipients } from './contact-lists.api.ts';

export interface RecipientsFileProps {
  opened: boolean;
  /** Of a person with several phones: the first, or each. */
  phones: 'first' | 'each';
  /** What is wanted of the file. */
  pick: (found: FileRecipients) => string[];
  /** The recipients of the file, never none. */
  onRead: (recipients: string[]) => void;
  onClose: () => void;
}

/** Reads the recipients of a spreadsheet, without keeping them as contacts. What could not be read is said before it closes. */
export function RecipientsFile({ opened, phones, pick, onRead, onClose }: RecipientsFileProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const read = useFileRecipients();
  const [found, setFound] = useState<FileRecipients>();
  const close = () => {
    read.reset();
    setFound(undefined);
    onClose();
  };
  const onPick = ({ key }: { key: string }) =>
    read.mutate(
      { from: { key }, phones },
      {
        onSuccess(answer) {
          const recipients = pick(answer);
          if (recipients.length) onRead(recipients);
          if (recipients.length && !answer.refusedCount && !answer.hidden) close();
          else setFound(answer);
        },
      },
    );
  return (
    <Dialog
      opened={opened}
      onClose={close}
      busy={read.isPending}
      title={t('contactLists:fromFile.title')}
      size={600}
    >
      <Stack>
        {found ? (
          <Alert color={pick(found).length ? 'green' : 'yellow'} role="status">
            <Text size="sm">
              {t('contactLists:fromFile.read', { number: formats.number(pick(found).length) })}
            </Text>
            {found.hidden > 0 && (
              <Text size="sm">
                {t('contactLists:fromFile.hidden', { number: formats.number(found.hidden) })}
              </Text>
            )}
            {found.refusedCount > 0 && (
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {t('contactLists:fromFile.refused', { number: formats.number(found.refusedCount) })}{' '}
                <bdi>{found.refused.slice(0, 10).join(' · ')}</bdi>
              </Text>
            )}
          </Alert>
        ) : (
          <>
            {!!read.error && (
              <Alert color="red" role="alert">
                {errorText(t, read.error)}
              </Alert>
            )}
            <FileSelect preset="sheet" disabled={read.isPending} onPick={onPick} />
            <UploadProgress
              ratio={read.isPending ? 1 : null}
              then={t('contactLists:fromFile.reading')}
            />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={read.isPending}>
            {t('common:close')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
