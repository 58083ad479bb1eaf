import type { AccountChangesPreview } from '@heliograph/contract';
import type { AccountFileField } from '@heliograph/domain';
import { Alert, Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../core/errors.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconDownload } from '../../ui/icons.ts';
import { saveText } from '../../ui/save-text.ts';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { FileSelect } from '../storage/file-select.tsx';
import { changesIn, sampleOf, valueText } from './account-file.ts';
import { ChangeResults } from './change-results.tsx';
import { useApplyChanges, usePreviewChanges } from './users.api.ts';

interface ChangeByFileProps {
  opened: boolean;
  onClose: () => void;
}

/** Files whose formulas are recognised. */
const TYPES = [
  'text/csv',
  'text/plain',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];
const EXTENSIONS = ['csv', 'xlsx', 'txt'];

/** Reads a file, shows what it would change in which account, and changes it. */
export function ChangeByFile({ opened, onClose }: ChangeByFileProps) {
  const { t } = useTranslation();
  const [sofar, setSofar] = useState(0);
  const read = usePreviewChanges();
  const apply = useApplyChanges(setSofar);
  const restart = () => {
    read.reset();
    apply.reset();
    setSofar(0);
  };
  const close = () => {
    onClose();
    restart();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      busy={read.isPending || apply.isPending}
      size={800}
      title={t('accountFiles:title')}
    >
      {apply.data ? (
        <ChangeResults done={apply.data} onClose={close} />
      ) : read.data ? (
        <Preview
          preview={read.data}
          sofar={sofar}
          busy={apply.isPending}
          error={apply.error}
          onApply={() => apply.mutate(changesIn(read.data))}
          onBack={restart}
        />
      ) : (
        <Stack>
          <Text size="sm">{t('accountFiles:text')}</Text>
          <Sample />
          <Failure error={read.error} />
          <FileSelect
            preset="sheet"
            types={TYPES}
            extensions={EXTENSIONS}
            disabled={read.isPending}
            onPick={({ key }) => read.mutate(key)}
          />
          <UploadProgress ratio={read.isPending ? 1 : null} then={t('accountFiles:reading')} />
        </Stack>
      )}
    </Dialog>
  );
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation();
  return (
    !!error && (
      <Alert color="red" role="alert">
        {errorText(t, error)}
      </Alert>
    )
  );
}

/** The columns that the user may fill in. */
function useFields(): AccountFileField[] {
  const can = useCan();
  const ofManagers = can('users.configure', 'managerUp');
  const hasCaps = can('spendCaps.update');
  const may: Record<AccountFileField, boolean> = {
    account: true,
    tariff: can('tariffs.update', 'resellerUp'),
    overdraft: true,
    types: true,
    sendernamesCheck: ofManagers,
    lookupDays: ofManagers,
    manager: can('users.all', 'managerUp'),
    isTest: true,
    day: hasCaps,
    month: hasCaps,
    timeZone: hasCaps,
    suspension: can('users.suspend', 'resellerUp'),
  };
  return (Object.keys(may) as AccountFileField[]).filter((field) => may[field]);
}

function Sample() {
  const { t } = useTranslation();
  const fields = useFields();
  const save = () => saveText('accounts.csv', sampleOf(t, fields), 'text/csv;charset=utf-8');
  return (
    <Group>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={save}
      >
        {t('accountFiles:sample')}
      </Button>
    </Group>
  );
}

interface PreviewProps {
  preview: AccountChangesPreview;
  /** Accounts that were looked at since the start. */
  sofar: number;
  busy: boolean;
  error: unknown;
  onApply: () => void;
  onBack: () => void;
}

/** Of long lists, as many entries are shown; the others are counted. */
const SHOWN = 100;

function Preview({ preview, sofar, busy, error, onApply, onBack }: PreviewProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { rows, unread } = preview;
  const count = changesIn(preview).length;
  const refused = rows.filter(({ errors }) => errors.length > 0);
  const number = (of: number) => ({ count: of, number: formats.number(of) });
  return (
    <Stack>
      <Text size="sm" role="status">
        {busy && sofar > 0
          ? t('users:many.sofar', number(sofar))
          : t('accountFiles:found', {
              rows: formats.number(rows.length),
              changed: formats.number(count),
              refused: formats.number(refused.length),
            })}
      </Text>
      {unread.length > 0 && (
        <Alert color="yellow" title={t('accountFiles:unread')}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {unread.join(', ')}
          </Text>
        </Alert>
      )}
      {refused.length > 0 && <Refused rows={refused} />}
      {count > 0 && <Changes preview={preview} />}
      <Failure error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack} disabled={busy}>
          {t('accountFiles:another')}
        </Button>
        <Button onClick={onApply} loading={busy} disabled={!count} data-autofocus>
          {t('accountFiles:submit', number(count))}
        </Button>
      </Group>
    </Stack>
  );
}

function Refused({ rows }: Pick<AccountChangesPreview, 'rows'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const left = rows.length - SHOWN;
  return (
    <Alert color="red" title={t('accountFiles:refused')}>
      <ScrollArea.Autosize mah={200} viewportProps={{ tabIndex: 0 }}>
        <Stack component="ul" gap={2} m={0} p={0} style={{ listStyle: 'none' }}>
          {rows.slice(0, SHOWN).flatMap(({ row, account, errors }) =>
            errors.map(({ field, reason }) => (
              <Text
                component="li"
                size="sm"
                key={`${row} ${field} ${reason}`}
                style={{ overflowWrap: 'anywhere' }}
              >
                {t('accountFiles:row', {
                  number: formats.number(row),
                  account,
                  field: t(`accountFiles:fields.${field}`),
                  reason: t(`accountFiles:reasons.${reason}`),
                })}
              </Text>
            )),
          )}
        </Stack>
      </ScrollArea.Autosize>
      {left > 0 && (
        <Text size="sm">{t('users:many.more', { count: left, number: formats.number(left) })}</Text>
      )}
    </Alert>
  );
}

function Changes({ preview }: { preview: AccountChangesPreview }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const changed = preview.rows.filter(({ change }) => change);
  const left = changed.length - SHOWN;
  return (
    <>
      <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: 0 }}>
        <Table aria-label={t('accountFiles:changes')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('accountFiles:fields.account')}</Table.Th>
              <Table.Th scope="col">{t('accountFiles:changes')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changed.slice(0, SHOWN).map(({ row, Owner, changes }) => (
              <Table.Tr key={row}>
                <Table.Th scope="row" fw={500} style={{ overflowWrap: 'anywhere' }}>
                  {Owner?.username}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {changes.map(({ field, before, after }) => (
                    <div key={field}>
                      {t('accountFiles:change', {
                        field: t(`accountFiles:fields.${field}`),
                        before: valueText(t, formats, field, before),
                        after: valueText(t, formats, field, after),
                      })}
                    </div>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {left > 0 && (
        <Text size="sm">{t('users:many.more', { count: left, number: formats.number(left) })}</Text>
      )}
    </>
  );
}
