import { WEBHOOK_STATES, type Webhook } from '@heliograph/contract';
import { WEBHOOK_EVENT_NAMES } from '@heliograph/domain';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meQuery } from '../../core/account.ts';
import { useCan } from '../../core/settings.ts';
import { showSuccess } from '../../core/toast.tsx';
import { useParam } from '../../core/use-param.ts';
import { useCreateButton } from '../../list/create-button.tsx';
import { manyField } from '../../list/filters/filter-field.ts';
import { timeColumn } from '../../list/grid/columns.tsx';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { ListPage } from '../../list/list-page.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { Removal } from '../../list/use-removal.tsx';
import { IconAction } from '../../ui/icon-action.tsx';
import { IconTasks, IconPause, IconPlay, IconRotate, IconWebhook } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { Time } from '../../ui/time.tsx';
import { WebhookBadge } from './webhook-badges.tsx';
import { useRemoveWebhook, useSetState, webhookSpec } from './webhooks.api.ts';

const CreateWebhook = later(async () => (await import('./webhook-dialog.tsx')).CreateWebhookDialog);
const EditWebhook = later(async () => (await import('./webhook-dialog.tsx')).EditWebhookDialog);
const WebhookLog = later(async () => (await import('./webhook-log.tsx')).WebhookLog);
const RotateWebhook = later(async () => (await import('./rotate-webhook.tsx')).RotateWebhook);

const REMOVAL: Removal<Webhook> = {
  can: ['webhooks.remove'],
  useChange: useRemoveWebhook,
  words: (t, { title }) => ({
    question: t('webhooks:removeQuestion', { title }),
    action: t('webhooks:remove', { title }),
    text: t('webhooks:removeText'),
  }),
};

/** The webhooks of the user's own account. */
export function WebhooksPage() {
  const { data: me } = useQuery(meQuery);
  return me ? <Webhooks OwnerId={me.OwnerId} /> : null;
}

function Webhooks({ OwnerId }: { OwnerId: string }) {
  const { t } = useTranslation();
  const can = useCan();
  const fixed = useMemo(() => ({ OwnerId }), [OwnerId]);
  const page = useListPage(webhookSpec, fixed);
  const columns = useWebhookColumns();
  const [, setLog] = useParam('log');
  const [rotating, setRotating] = useState<Webhook | null>(null);
  const { mutate: setState } = useSetState();
  const mayUpdate = can('webhooks.update');
  const create = useCreateButton(t('webhooks:create'), 'webhooks.create');
  const actions = useCallback(
    (row: Webhook) => {
      const { id, title } = row;
      const isActive = row.state === 'active';
      const turn = () =>
        setState(
          { id, state: isActive ? 'paused' : 'active' },
          {
            onSuccess: () =>
              showSuccess(t(isActive ? 'webhooks:paused' : 'webhooks:resumed', { title })),
          },
        );
      return (
        <>
          <IconAction
            icon={IconTasks}
            word="log"
            label={t('webhooks:openLog', { title })}
            onClick={() => setLog(id)}
          />
          {mayUpdate && (
            <>
              <IconAction
                icon={isActive ? IconPause : IconPlay}
                word={isActive ? 'pause' : 'resume'}
                label={t(isActive ? 'webhooks:pause' : 'webhooks:resume', { title })}
                onClick={turn}
              />
              <IconAction
                icon={IconRotate}
                word="replaceSecret"
                label={t('webhooks:rotate', { title })}
                onClick={() => setRotating(row)}
              />
            </>
          )}
        </>
      );
    },
    [t, mayUpdate, setState, setLog],
  );
  return (
    <ListPage
      page={page}
      title={t('webhooks:title')}
      fields={[
        { kind: 'search', label: t('webhooks:search') },
        manyField('event', t('webhooks:event'), WEBHOOK_EVENT_NAMES, (event) =>
          t(`webhooks:events.${event.replace('.', '_')}`),
        ),
        manyField('state', t('webhooks:stateLabel'), WEBHOOK_STATES, (state) =>
          t(`webhooks:state.${state}`),
        ),
      ]}
      create={create}
      intro={t('webhooks:intro')}
      columns={columns}
      removal={REMOVAL}
      actions={actions}
      actionsWidth={190}
      empty={{
        icon: IconWebhook,
        title: t('webhooks:empty.title'),
        text: t('webhooks:empty.text'),
      }}
    >
      <CreateWebhook />
      <EditWebhook />
      <WebhookLog />
      <RotateWebhook row={rotating} onClose={() => setRotating(null)} />
    </ListPage>
  );
}

function useWebhookColumns(): GridColumn<Webhook>[] {
  const { t } = useTranslation();
  return useMemo(
    (): GridColumn<Webhook>[] => [
      {
        id: 'title',
        header: t('webhooks:name'),
        cell: (row) => row.title,
        sortable: true,
        card: 'title',
      },
      {
        id: 'state',
        header: t('webhooks:stateLabel'),
        cell: (row) => <WebhookBadge state={row.state} />,
        width: 170,
        card: 'end',
      },
      {
        id: 'event',
        header: t('webhooks:event'),
        cell: (row) => t(`webhooks:events.${row.event.replace('.', '_')}`),
        width: 210,
        card: 'note',
      },
      {
        id: 'url',
        header: t('webhooks:url'),
        cell: (row) => (
          <Text span size="sm" truncate title={row.url} display="block">
            {row.url}
          </Text>
        ),
        hideBelow: 'lg',
        card: 'body',
      },
      {
        id: 'lastSuccessAt',
        header: t('webhooks:lastSuccess'),
        cell: ({ lastSuccessAt }) =>
          lastSuccessAt ? <Time at={lastSuccessAt} /> : t('webhooks:never'),
        width: 160,
        hideBelow: 'lg',
      },
      timeColumn('createdAt', t('webhooks:created'), {
        width: 140,
        isOptional: true,
        card: 'note',
      }),
    ],
    [t],
  );
}
