import type { InboundRule } from '@heliograph/contract';
import { MAX_INBOUND_RULES } from '@heliograph/domain';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../core/query.ts';
import { usePolling } from '../../core/realtime/live.ts';
import { settingsQuery, useCan, useSettings } from '../../core/settings.ts';
import { useParam } from '../../core/use-param.ts';
import { CreateButton } from '../../list/create-button.tsx';
import { useRemoval, type Removal } from '../../list/use-removal.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconRoute } from '../../ui/icons.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SortableRows } from '../../ui/sortable-rows.tsx';
import { InboundRuleCard } from './inbound-rule-card.tsx';
import {
  useRemoveInboundRule,
  inboundRulesQuery,
  useReorderInboundRules,
} from './inbound-rules.api.ts';

const InboundRuleDrawer = later(
  async () => (await import('./inbound-rule-drawer.tsx')).InboundRuleDrawer,
);
const TrialDialog = later(async () => (await import('./trial-dialog.tsx')).TrialDialog);

/** Its buttons depend on the rules. */
export async function prepare(): Promise<void> {
  const { session } = await queryClient.ensureQueryData(settingsQuery);
  await queryClient.prefetchQuery(inboundRulesQuery(session.OwnerId));
}

const REMOVAL: Removal<InboundRule> = {
  can: ['inboundRules.remove'],
  useChange: useRemoveInboundRule,
  words: (t, { title }) => ({
    question: t('inboundRules:removeQuestion', { title }),
    action: t('inboundRules:remove', { title }),
    text: t('inboundRules:removeText'),
  }),
};

/** What happens to incoming messages of the user's own account. */
export function InboundRulesPage() {
  const { t } = useTranslation();
  const can = useCan();
  const { OwnerId } = useSettings().session;
  const refetchInterval = usePolling('inboundRules');
  const { data, error, refetch } = useQuery({ ...inboundRulesQuery(OwnerId), refetchInterval });
  const [, setCreating] = useParam('create');
  const [, setTrying] = useParam('try');
  const [removeButton, removal] = useRemoval(REMOVAL);
  const rows = data?.data ?? [];
  const create = can('inboundRules.create') && rows.length < MAX_INBOUND_RULES && (
    <CreateButton onClick={() => setCreating('true')}>{t('inboundRules:create')}</CreateButton>
  );
  return (
    <>
      <PageHeader
        title={t('inboundRules:title')}
        back={{ to: '/messages/incoming', label: t('inboundRules:back') }}
      >
        {rows.length > 0 && (
          <>
            {create}
            <Button variant="default" onClick={() => setTrying('true')}>
              {t('inboundRules:trial.open')}
            </Button>
          </>
        )}
      </PageHeader>
      <Text size="sm" c="dimmed" mb="md" maw={720}>
        {t('inboundRules:intro')}
      </Text>
      {data ? (
        <Rules rows={rows} create={create} removeButton={removeButton} />
      ) : error ? (
        <ErrorCard title={t('inboundRules:failed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <DetailsSkeleton />
      )}
      <InboundRuleDrawer />
      <TrialDialog />
      {removal}
    </>
  );
}

interface RulesProps {
  rows: InboundRule[];
  create: ReactNode;
  removeButton: ((row: InboundRule) => ReactNode) | undefined;
}

function Rules({ rows, create, removeButton }: RulesProps) {
  const { t } = useTranslation();
  const can = useCan();
  const [ids, setIds] = useSavedOrder(rows);
  if (!rows.length)
    return (
      <Empty
        icon={IconRoute}
        title={t('inboundRules:empty.title')}
        text={t('inboundRules:empty.text')}
      >
        {create}
      </Empty>
    );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const card = (id: string, handle: ReactNode) => {
    const row = byId.get(id)!;
    return <InboundRuleCard row={row} handle={handle} removeButton={removeButton?.(row)} />;
  };
  if (!can('inboundRules.update'))
    return (
      <Stack gap="xs">
        {ids.map((id) => (
          <div key={id}>{card(id, null)}</div>
        ))}
      </Stack>
    );
  return (
    <SortableRows
      // Rows are replaced by events while one is dragged; their ids stay.
      rows={ids}
      keyOf={(id) => id}
      nameOf={(id) => byId.get(id)!.title}
      onChange={setIds}
    >
      {(id, _, handle) => card(id, handle)}
    </SortableRows>
  );
}

/** The ids of the rules in the order that the user wants. One call at a time saves it, and the last order wins. */
function useSavedOrder(rows: InboundRule[]): [string[], (ids: string[]) => void] {
  const { mutateAsync } = useReorderInboundRules(useSettings().session.OwnerId);
  const [wanted, setWanted] = useState<string[] | null>(null);
  const latest = useRef<string[] | null>(null);
  const isSaving = useRef(false);
  const save = async () => {
    if (isSaving.current) return;
    isSaving.current = true;
    try {
      while (latest.current) {
        const next = latest.current;
        latest.current = null;
        await mutateAsync(next);
      }
    } catch {
      // A message has said it; the stored order is shown.
      latest.current = null;
    }
    isSaving.current = false;
    setWanted(null);
  };
  const stored = rows.map(({ id }) => id);
  const kept = wanted?.filter((id) => stored.includes(id)) ?? [];
  const ids = wanted ? [...kept, ...stored.filter((id) => !kept.includes(id))] : stored;
  return [
    ids,
    (next) => {
      latest.current = next;
      setWanted(next);
      void save();
    },
  ];
}
