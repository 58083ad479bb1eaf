import type { MessageRuleGroup, SendingType } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { useListState } from '../../list/state/use-list-state.ts';
import { useList } from '../../list/state/use-list.ts';
import { IconRules } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { messageRuleGroupSpec } from './account-groups.api.ts';
import { GroupList } from './group-list.tsx';

const MessageRuleGroupDrawer = later(
  async () => (await import('./message-rule-group-drawer.tsx')).MessageRuleGroupDrawer,
);

export function MessageRuleGroupsPage() {
  const { t } = useTranslation();
  const control = useListState(messageRuleGroupSpec);
  const list = useList(messageRuleGroupSpec, control);
  const contents = useMemo((): GridColumn<MessageRuleGroup>[] => {
    const names = (types: SendingType[]) => {
      const said = types.map((type) => t(`common:type.${type}`)).join(', ') || '—';
      return <span title={said}>{said}</span>;
    };
    return [
      {
        id: 'types',
        header: t('accountGroups:types'),
        cell: ({ rules }) => (rules.types ? names(rules.types) : t('accountGroups:allTypes')),
        card: 'wide',
      },
      {
        id: 'sendernamesCheck',
        header: t('accountGroups:checks'),
        cell: ({ rules }) => names(rules.sendernamesCheck ?? []),
        hideBelow: 'md',
      },
    ];
  }, [t]);
  return (
    <>
      <GroupList
        noun="messageRuleGroups"
        icon={IconRules}
        control={control}
        list={list}
        contents={contents}
      />
      <MessageRuleGroupDrawer />
    </>
  );
}
