import type { MessageRuleGroup, SendingType } from '@heliograph/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useListPage } from '../../list/state/use-list-page.ts';
import type { GridColumn } from '../../list/grid/grid-column.ts';
import { IconRules } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { messageRuleGroupSpec } from './account-groups.api.ts';
import { GroupList } from './group-list.tsx';

const MessageRuleGroupDrawer = later(
  async () => (await import('./message-rule-group-drawer.tsx')).MessageRuleGroupDrawer,
);

export function MessageRuleGroupsPage() {
  const { t } = useTranslation();
  const page = useListPage(messageRuleGroupSpec);
  const contents = useMemo((): GridColumn<MessageRuleGroup>[] => {
    const names = (types: SendingType[]) => {
      const typesText = types.map((type) => t(`common:type.${type}`)).join(', ') || '—';
      return <span title={typesText}>{typesText}</span>;
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
    <GroupList noun="messageRuleGroups" icon={IconRules} page={page} contents={contents}>
      <MessageRuleGroupDrawer />
    </GroupList>
  );
}
