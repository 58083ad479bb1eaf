import type { Token } from '@heliograph/contract';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { RowActions } from '../../list/grid/row-actions.tsx';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { useParam } from '../../core/use-param.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconRotate, IconToken, IconTrash } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
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
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(tokenSpec, fixed);
  const columns = useTokenColumns();
  const [, setCreating] = useParam('create');
  const [rotating, setRotating] = useState<Token | null>(null);
  const [removing, setRemoving] = useState<Token | null>(null);
  // The server refuses both in a session that was opened for somebody else.
  const mayCreate = can('tokens.create') && !previous;
  const mayRemove = can('tokens.remove') && !previous;
  const mayUpdate = can('tokens.update') && !previous;
  const isOwn = useCallback((row: Token) => !previous && row.UserId === userId, [previous, userId]);
  const create = mayCreate && (
    <CreateButton onClick={() => setCreating('true')}>{t('tokens:create')}</CreateButton>
  );
  const actions = useCallback(
    (row: Token) => {
      const { description } = row;
      return (
        <RowActions>
          {mayUpdate && isOwn(row) && (
            <IconAction
              icon={IconRotate}
              word="renew"
              label={t('tokens:rotate', { description })}
              onClick={() => setRotating(row)}
            />
          )}
          {mayRemove && (isOwn(row) || userId === OwnerId) && (
            <IconAction
              icon={IconTrash}
              word="remove"
              label={t('tokens:remove', { description })}
              onClick={() => setRemoving(row)}
            />
          )}
        </RowActions>
      );
    },
    [t, isOwn, mayUpdate, mayRemove, userId, OwnerId],
  );
  return (
    <ListPage
      page={page}
      title={t('tokens:title')}
      fields={[{ kind: 'search', label: t('tokens:search') }]}
      create={create}
      intro={
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          {previous ? t('tokens:borrowed') : t('tokens:intro')}
        </Text>
      }
      columns={columns}
      actions={mayUpdate || mayRemove ? actions : undefined}
      actionsWidth={100}
      empty={{
        icon: IconToken,
        title: t('tokens:empty.title'),
        text: t('tokens:empty.text'),
        action: create,
        below: <CurlExample />,
      }}
    >
      <CreateToken />
      <EditToken isOwn={isOwn} />
      <RotateToken row={rotating} onClose={() => setRotating(null)} />
      <RemoveToken row={removing} onClose={() => setRemoving(null)} />
    </ListPage>
  );
}
