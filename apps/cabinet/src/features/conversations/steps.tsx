import type { Conversation } from '@heliograph/contract';
import { ActionIcon, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { showError } from '../../core/toast.tsx';
import { toListRequest, writeState } from '../../list/state/list-state.ts';
import type { ListPageState } from '../../list/state/use-list-page.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { IconChevronDown, IconChevronUp } from '../../ui/icons.ts';
import classes from './conversations.module.css';
import { conversationSpec } from './conversations.api.ts';

interface StepsProps {
  page: ListPageState<Conversation>;
  openId: string;
}

/** To the conversations before and after the open one in the list, over its pages. The keys of the buttons work while a reply is written. */
export function Steps({ page: { control, list }, openId }: StepsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [, setParams] = useSearchParams();
  const [end, setEnd] = useState<{ id: string; by: 1 | -1 } | null>(null);
  const { rows } = list;
  const at = rows.findIndex((row) => row.id === openId);
  // One that leaves the list, as its filter is of those that wait, leaves its place to the next.
  const place = useRef(0);
  useEffect(() => {
    if (at >= 0) place.current = at;
  }, [at]);

  const open = (id: string, page: number): void => {
    // Who writes goes on writing.
    const isWriting = document.activeElement instanceof HTMLTextAreaElement;
    setParams(
      (now) => {
        const next = writeState({ ...control.state, page }, conversationSpec, now);
        next.set('id', id);
        return next;
      },
      // Walking along the list leaves no trail of steps to go back through.
      { replace: true, preventScrollReset: true, state: { isWriting } },
    );
  };
  const step = async (by: 1 | -1): Promise<void> => {
    const wanted = at >= 0 ? at + by : place.current + (by > 0 ? 0 : -1);
    const near = rows[wanted];
    if (near) return open(near.id, control.state.page);
    const page = control.state.page + by;
    try {
      const beyond =
        page < 1
          ? []
          : (
              await client.fetchQuery(
                findQuery(
                  conversationSpec,
                  toListRequest({ ...control.state, page }, conversationSpec),
                ),
              )
            ).data;
      const found = by > 0 ? beyond[0] : beyond.at(-1);
      if (found) open(found.id, page);
      else setEnd({ id: openId, by });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <>
      <Group gap={4} className={classes.steps}>
        <ActionIcon
          variant="default"
          aria-label={t('conversations:step.previous')}
          aria-keyshortcuts="Alt+ArrowUp"
          title={`${t('conversations:step.previous')} (Alt ↑)`}
          onClick={() => void step(-1)}
        >
          <IconChevronUp size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('conversations:step.next')}
          aria-keyshortcuts="Alt+ArrowDown"
          title={`${t('conversations:step.next')} (Alt ↓)`}
          onClick={() => void step(1)}
        >
          <IconChevronDown size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Text size="sm" role="status" className={classes.beside}>
        {end?.id === openId &&
          t(end.by > 0 ? 'conversations:step.last' : 'conversations:step.first')}
      </Text>
    </>
  );
}
