import type { StoredFile } from '@heliograph/contract';
import { FILE_PRESETS } from '@heliograph/domain';
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { downloadFile } from '../../ui/download-file.ts';
import { queryClient } from '../../core/query.ts';
import { useCan } from '../../core/settings.ts';
import { useMutationOnce } from '../../core/use-mutation-once.ts';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconDownload, IconEdit, IconFile, IconTrash, IconUpload } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { storageSpec, usageQuery } from './storage.api.ts';
import { StorageUsage } from './storage-usage.tsx';
import { useFileColumns } from './use-file-columns.tsx';

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
      <RowActions>
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
      </RowActions>
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
