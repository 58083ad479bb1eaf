import type { Token } from '@heliograph/contract';
import { TOKEN_EXPIRY_NOTICE_DAYS } from '@heliograph/domain';
import { Anchor, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { meQuery } from '../../core/account.ts';
import { useSession } from '../../core/session/use-session.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { dayOf, daysBetween, today } from '../../ui/dates.ts';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconRotate, IconToken, IconAlertTriangle, IconX } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TestBadge } from '../../ui/test-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { CurlExample } from './curl-example.tsx';
import { useRemoveToken, tokenSpec } from './tokens.api.ts';

const CreateToken = later(async () => (await import('./token-dialog.tsx')).CreateTokenDialog);
const EditToken = later(async () => (await import('./token-dialog.tsx')).EditTokenDialog);
const RotateToken = later(async () => (await import('./rotate-token.tsx')).RotateToken);

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
  const [rotating, setRotating] = useState<Token | null>(null);
  // The server refuses both in a session that was opened for somebody else.
  const mayUpdate = can('tokens.update') && !previous;
  const isOwn = useCallback((row: Token) => !previous && row.UserId === userId, [previous, userId]);
  const removal = useMemo(
    (): Removal<Token> => ({
      can: ['tokens.remove'],
      of: (row) => isOwn(row) || userId === OwnerId,
      useChange: useRemoveToken,
      words: (t, { description, createdAt }, formats) => ({
        question: t('tokens:removeQuestion', { description }),
        action: t('tokens:remove', { description }),
        text: t('tokens:removeText', { time: formats.dateTime(createdAt) }),
      }),
    }),
    [isOwn, userId, OwnerId],
  );
  const create = useCreateButton(t('tokens:create'), 'tokens.create');
  const actions = useCallback(
    (row: Token) => {
      const { description } = row;
      return (
        <>
          {mayUpdate && isOwn(row) && (
            <IconAction
              icon={IconRotate}
              word="renew"
              label={t('tokens:rotate', { description })}
              onClick={() => setRotating(row)}
            />
          )}
        </>
      );
    },
    [t, isOwn, mayUpdate],
  );
  return (
    <ListPage
      page={page}
      title={t('tokens:title')}
      fields={[{ kind: 'search', label: t('tokens:search') }]}
      create={!previous && create}
      intro={previous ? t('tokens:borrowed') : t('tokens:intro')}
      columns={columns}
      actions={mayUpdate ? actions : undefined}
      removal={previous ? undefined : removal}
      actionsWidth={100}
      empty={{
        icon: IconToken,
        title: t('tokens:empty.title'),
        text: t('tokens:empty.text'),
        below: (
          <Stack>
            <CurlExample />
            <Anchor component={Link} to="/documentation/api/quick-start" size="sm">
              {t('tokens:quickStart')}
            </Anchor>
          </Stack>
        ),
      }}
    >
      <CreateToken />
      <EditToken isOwn={isOwn} />
      <RotateToken row={rotating} onClose={() => setRotating(null)} />
    </ListPage>
  );
}

function useTokenColumns(): GridColumn<Token>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<Token>[] => [
      {
        id: 'description',
        header: t('tokens:description'),
        cell: (row) =>
          row.isTest ? (
            <Group gap={6} wrap="nowrap">
              <span>{row.description}</span>
              <TestBadge />
            </Group>
          ) : (
            row.description
          ),
        sortable: true,
        card: 'title',
      },
      {
        id: 'prefix',
        header: t('tokens:prefix'),
        cell: (row) => <span className="numeric">{row.prefix}…</span>,
        width: 160,
        card: 'note',
      },
      {
        id: 'permissions',
        header: t('tokens:permissions'),
        cell: (row) =>
          row.permissions
            ? t('tokens:permissionCount', { count: row.permissions.length })
            : t('tokens:allShort'),
        width: 125,
        hideBelow: 'lg',
      },
      {
        id: 'addresses',
        header: t('tokens:addressesShort'),
        cell: ({ ipWhitelist: [first, ...others] }) =>
          first ? (
            <span className="numeric">
              {first}
              {others.length > 0 && ` +${others.length}`}
            </span>
          ) : (
            t('tokens:anyAddress')
          ),
        isSensitive: true,
        width: 150,
        hideBelow: 'lg',
      },
      {
        id: 'expiredAt',
        header: t('tokens:expires'),
        cell: (row) => <TokenExpiry expiredAt={row.expiredAt} />,
        sortable: true,
        width: 180,
        card: 'end',
      },
      {
        id: 'lastUsedAt',
        header: t('tokens:lastUsed'),
        cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : t('tokens:unused')),
        sortable: true,
        width: 155,
      },
      {
        id: 'lastUsedIp',
        header: t('tokens:lastUsedFrom'),
        cell: (row) => row.lastUsedIp && <span className="numeric">{row.lastUsedIp}</span>,
        isSensitive: true,
        width: 150,
        hideBelow: 'xl',
      },
      timeColumn('createdAt', t('tokens:created'), { width: 140, isOptional: true, card: 'note' }),
    ],
    [t],
  );
}

const EXPIRED = { color: 'red', icon: IconX };
const EXPIRING = { color: 'orange', icon: IconAlertTriangle };

/** How many days a token has left, with a warning in the last week; the date in the tooltip. */
function TokenExpiry({ expiredAt }: Pick<Token, 'expiredAt'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (!expiredAt) return t('tokens:never');
  const time = new Date(expiredAt);
  if (time <= new Date()) return <StatusBadge appearance={EXPIRED} label={t('tokens:expired')} />;
  // As the field of the form counts them.
  const days = daysBetween(today(), dayOf(time));
  const left = days ? t('tokens:daysLeft', { count: days }) : t('tokens:expiresToday');
  return (
    <span title={formats.dateTime(expiredAt)}>
      {days <= TOKEN_EXPIRY_NOTICE_DAYS ? <StatusBadge appearance={EXPIRING} label={left} /> : left}
    </span>
  );
}
