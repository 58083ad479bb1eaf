import type { Token } from '@heliograph/contract';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { DataGrid } from '../../list/grid/data-grid.tsx';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import type { FilterField } from '../../list/filters/filter-field.ts';
import { isFirstUse } from '../../list/state/list-state.ts';
import { Pager } from '../../list/grid/pager.tsx';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { useRowLink } from '../../list/state/use-row-link.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconPlus, IconRotate, IconToken, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CurlExample } from './curl-example.tsx';
import { tokenSpec } from './tokens.api.ts';
import { useTokenColumns } from './use-token-columns.tsx';

const CreateToken = later(async () => (await import('./token-dialog.tsx')).CreateTokenDialog);
const EditToken = later(async () => (await import('./token-dialog.tsx')).EditTokenDialog);
const RotateToken = later(async () => (await import('./rotate-token.tsx')).RotateToken);
const RemoveToken = later(async () => (await import('./remove-token.tsx')).RemoveToken);

/** The API tokens of the user's own account. */
export function TokensPage() {
  const { data: me } = useQuery(meQuery);
  return me ? <Tokens userId={me.id} OwnerId={me.OwnerId} /> : null;
}

function Tokens({ userId, OwnerId }: { userId: string; OwnerId: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const { previous } = useSession();
  const control = useListState(tokenSpec);
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const list = useList(tokenSpec, control, fixed);
  const columns = useTokenColumns();
  const rowTo = useRowLink();
  const [, setCreating] = useParam('create');
  const [rotating, setRotating] = useState<Token | null>(null);
  const [removing, setRemoving] = useState<Token | null>(null);
  // The server refuses both in a session that was opened for somebody else.
  const mayCreate = can('tokens.create') && !previous;
  const mayRemove = can('tokens.remove') && !previous;
  const mayUpdate = can('tokens.update') && !previous;
  const isOwn = useCallback((row: Token) => !previous && row.UserId === userId, [previous, userId]);
  const fields: FilterField[] = [{ kind: 'search', label: t('tokens:search') }];
  const create = mayCreate && (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-keyshortcuts="n"
      onClick={() => setCreating('true')}
    >
      {t('tokens:create')}
    </Button>
  );
  const actions = useCallback(
    (row: Token) => {
      const { description } = row;
      return (
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {mayUpdate && isOwn(row) && (
            <IconAction
              icon={IconRotate}
              label={t('tokens:rotate', { description })}
              onClick={() => setRotating(row)}
            />
          )}
          {mayRemove && (isOwn(row) || userId === OwnerId) && (
            <IconAction
              icon={IconTrash}
              label={t('tokens:remove', { description })}
              onClick={() => setRemoving(row)}
            />
          )}
        </Group>
      );
    },
    [t, isOwn, mayUpdate, mayRemove, userId, OwnerId],
  );
  return (
    <>
      <PageHeader title={t('tokens:title')}>
        {!isFirstUse(list, control.state) && create}
      </PageHeader>
      <Text size="sm" c="dimmed" mb="md" maw={720}>
        {previous ? t('tokens:borrowed') : t('tokens:intro')}
      </Text>
      <FilterBar fields={fields} control={control} />
      <DataGrid
        caption={t('tokens:title')}
        columns={columns}
        list={list}
        control={control}
        rowTo={rowTo}
        actions={mayUpdate || mayRemove ? actions : undefined}
        actionsWidth={100}
        empty={
          <>
            <Empty icon={IconToken} title={t('tokens:empty.title')} text={t('tokens:empty.text')}>
              {create}
            </Empty>
            <Group justify="center" px="md" pb="xl">
              <CurlExample />
            </Group>
          </>
        }
      />
      <Pager list={list} control={control} />
      <CreateToken />
      <EditToken isOwn={isOwn} />
      <RotateToken row={rotating} onClose={() => setRotating(null)} />
      <RemoveToken row={removing} onClose={() => setRemoving(null)} />
    </>
  );
}
