import type { StoredFile } from '@heliograph/contract';
import { FILE_PRESETS } from '@heliograph/domain';
import { Button, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { queryClient } from '../../core/query.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { downloadFile } from '../../ui/download-file.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconDownload, IconEdit, IconFile, IconTrash, IconUpload } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { kindOf } from './file-kind.ts';
import { FileState } from './file-state.tsx';
import { storageSpec, usageQuery } from './storage.api.ts';

/** The header says how much space is used. */
export const prepare = () => queryClient.prefetchQuery(usageQuery);

const FileDrawer = later(async () => (await import('./file-drawer.tsx')).FileDrawer);
const RemoveFile = later(async () => (await import('./remove-file.tsx')).RemoveFile);
const RenameDialog = later(async () => (await import('./rename-dialog.tsx')).RenameDialog);
const UploadDialog = later(async () => (await import('./upload-dialog.tsx')).UploadDialog);

const CREATE = '/storage/create';

export function StoragePage() {
  const { t } = useTranslation();
  const can = useCan();
  const page = useListPage(storageSpec);
  const columns = useFileColumns();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [renaming, setRenaming] = useState<StoredFile | null>(null);
  const [removing, setRemoving] = useState<StoredFile | null>(null);
  const { mutate: download } = useMutationOnce({ mutationFn: downloadFile });
  const fields: FilterField[] = [
    { kind: 'search', label: t('storage:search') },
    {
      kind: 'one',
      name: 'preset',
      label: t('storage:kind'),
      options: FILE_PRESETS.filter((value) => value !== 'all').map((value) => ({
        value,
        label: t(`storage:preset.${value}`),
      })),
    },
    { kind: 'period', label: t('storage:period') },
    { kind: 'owner', label: t('storage:owner') },
  ];
  const upload = can('storage.create') && (
    <Button
      leftSection={<IconUpload size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => void navigate({ pathname: CREATE, search })}
    >
      {t('storage:upload.action')}
    </Button>
  );
  const actions = useCallback(
    (row: StoredFile) => (
      <>
        <IconAction
          icon={IconDownload}
          word="download"
          label={t('storage:downloadOf', { title: row.title })}
          onClick={() => download(row.id)}
        />
        {can('storage.update') && (
          <IconAction
            icon={IconEdit}
            word="rename"
            label={t('storage:rename', { title: row.title })}
            shortcut="e"
            onClick={() => setRenaming(row)}
          />
        )}
        {can('storage.remove') && (
          <IconAction
            icon={IconTrash}
            word="remove"
            label={t('storage:remove', { title: row.title })}
            refused={row.locks > 0 ? t('storage:lockedHint') : undefined}
            onClick={() => setRemoving(row)}
          />
        )}
      </>
    ),
    [can, t, download],
  );
  return (
    <ListPage
      page={page}
      title={t('storage:title')}
      fields={fields}
      create={upload}
      header={<StorageUsage />}
      columns={columns}
      actions={actions}
      actionsWidth={140}
      empty={{ icon: IconFile, title: t('storage:empty.title'), text: t('storage:empty.text') }}
    >
      <UploadDialog
        opened={pathname.replace(/\/$/, '') === CREATE && can('storage.create')}
        onClose={() => void navigate({ pathname: '/storage', search }, { replace: true })}
      />
      <RenameDialog row={renaming} onClose={() => setRenaming(null)} />
      <RemoveFile row={removing} onClose={() => setRemoving(null)} />
      <FileDrawer />
    </ListPage>
  );
}

const WARNING_PERCENT = 90;

/** How much of the account's quota its files take. */
function StorageUsage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data } = useQuery(usageQuery);
  if (!data) return null;
  const used = formats.bytes(data.used);
  if (data.limit === null)
    return (
      <Text size="sm" c="dimmed">
        {t('storage:usageUnlimited', { used })}
      </Text>
    );
  // Assistive programs do not read 4e-7.
  const percent = Math.min(100, Math.round((data.used / data.limit) * 1000) / 10);
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('storage:usage', { used, limit: formats.bytes(data.limit) })}
      </Text>
      <Progress
        value={percent}
        color={percent >= WARNING_PERCENT ? 'red' : undefined}
        size="sm"
        aria-label={t('storage:usageLabel')}
      />
    </div>
  );
}

function useFileColumns(): GridColumn<StoredFile>[] {
  const { t } = useTranslation();
  const formats = useFormats();
  return useMemo(
    (): GridColumn<StoredFile>[] => [
      {
        id: 'title',
        header: t('storage:name'),
        cell: (row) => <span title={row.title}>{row.title}</span>,
        sortable: true,
        card: 'title',
      },
      {
        id: 'kind',
        header: t('storage:kind'),
        cell: ({ type }) => {
          const kind = kindOf(type);
          return kind ? t(`storage:preset.${kind}`) : type;
        },
        width: 150,
        hideBelow: 'md',
        card: 'note',
      },
      {
        id: 'size',
        header: t('storage:size'),
        cell: (row) => <span className="numeric">{formats.bytes(row.size)}</span>,
        sortable: true,
        align: 'end',
        width: 110,
        card: 'note',
      },
      {
        id: 'state',
        header: t('storage:state'),
        // An empty cell is left out of a card.
        cell: (row) => (row.locks > 0 || row.isPublic || row.expiredAt) && <FileState file={row} />,
        width: 230,
        card: 'wide',
      },
      timeColumn('createdAt', t('storage:created'), { width: 170, hideBelow: 'lg', card: 'note' }),
    ],
    [t, formats],
  );
}
