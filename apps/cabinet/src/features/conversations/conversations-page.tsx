import { ConversationAssigned, ConversationState } from '@heliograph/contract';
import { Box, Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { FilterBar } from '../../list/filters/filter-bar.tsx';
import { manyField, type FilterField } from '../../list/filters/filter-field.ts';
import { ListStatus } from '../../list/grid/list-status.tsx';
import { Pager } from '../../list/grid/pager.tsx';
import { useListPage } from '../../list/state/use-list-page.ts';
import { Empty } from '../../ui/empty.tsx';
import { IconChecks, IconInbox } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ConversationList } from './conversation-list.tsx';
import classes from './conversations.module.css';
import { conversationSpec, labelsQuery, useMarkAllRead } from './conversations.api.ts';
import { Steps } from './steps.tsx';

const Thread = later(async () => (await import('./thread.tsx')).Thread);

/** Conversations beside the one that `?id=` names; in a narrow window one after the other. */
export function ConversationsPage() {
  const { t } = useTranslation();
  const { sendings, session } = useSettings();
  const mayUpdate = useCan()('sendingsIncoming.update');
  const page = useListPage(conversationSpec);
  const { list } = page;
  const { OwnerId = [session.OwnerId], label = [] } = page.control.state.filters;
  const known = useQuery(labelsQuery(OwnerId[0]!));
  const labels = [...new Set([...(known.data?.data ?? []), ...label])];
  const [id] = useParam('id');
  const [params] = useSearchParams();
  const others = new URLSearchParams(params);
  others.delete('id');
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  const readAll = useMarkAllRead();
  const fields: FilterField[] = [
    { kind: 'search', label: t('incoming:search') },
    manyField('state', t('conversations:stateLabel'), ConversationState.options, (value) =>
      t(`conversations:state.${value}`),
    ),
    manyField('type', t('incoming:type'), sendings.types, (value) => t(`common:type.${value}`)),
    {
      kind: 'one',
      name: 'assigned',
      label: t('conversations:assignee'),
      options: ConversationAssigned.options.map((value) => ({
        value,
        label: t(`conversations:assigned.${value}`),
      })),
    },
    ...(labels.length
      ? [
          {
            kind: 'one' as const,
            name: 'label',
            label: t('conversations:label'),
            options: labels.map((value) => ({ value, label: value })),
          },
        ]
      : []),
    { kind: 'owner', label: t('incoming:owner') },
  ];
  const isListShown = isWide || !id;
  return (
    <div className={classes.page} data-fits={isWide || !!id || undefined}>
      <PageHeader
        title={t('conversations:title')}
        back={isListShown ? undefined : { to: `?${others}`, label: t('conversations:back') }}
      >
        {isListShown && mayUpdate && list.rows.some((row) => row.unread > 0) && (
          <Button
            variant="default"
            leftSection={<IconChecks size={18} aria-hidden />}
            loading={readAll.isPending}
            onClick={() => readAll.mutate()}
          >
            {t('conversations:readAll')}
          </Button>
        )}
      </PageHeader>
      {isListShown && (
        <Box mb="sm">
          <FilterBar fields={fields} control={page.control} />
        </Box>
      )}
      <div className={classes.columns}>
        {isListShown && (
          <div className={classes.side}>
            <ListStatus
              {...page}
              empty={
                <Empty
                  icon={IconInbox}
                  title={t('conversations:empty.title')}
                  text={t('conversations:empty.text')}
                />
              }
            >
              <ConversationList rows={list.rows} loading={list.loading} openId={id} />
            </ListStatus>
            <Pager {...page} />
          </div>
        )}
        <div className={classes.thread}>
          {id ? (
            <>
              <Steps page={page} openId={id} />
              <Thread key={id} id={id} />
            </>
          ) : (
            isWide &&
            list.rows.length > 0 && <Empty icon={IconInbox} title={t('conversations:choose')} />
          )}
        </div>
      </div>
    </div>
  );
}
