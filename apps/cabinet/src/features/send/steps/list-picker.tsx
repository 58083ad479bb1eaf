import { Checkbox, Group, Pill, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../core/errors.ts';
import { FIND_DEBOUNCE_MS } from '../../../core/list-request.ts';
import { useCan, useSettings } from '../../../core/settings.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { findQuery } from '../../../list/state/use-list.ts';
import { IconSearch } from '../../../ui/icons.ts';
import { PageButtons } from '../../../ui/page-buttons.tsx';
import { contactListQuery, contactListSpec } from '../../contact-lists/contact-lists.api.ts';
import { useOwnSegments } from '../../contact-lists/segments/segments.api.ts';
import { useSendForm } from '../form/send-form.ts';
import type { Side } from '../form/send-values.ts';
import { SegmentPicker } from './segment-picker.tsx';

/** Specification, section 9. */
const PAGE_SIZE = 8;

const listQuery = (id: string) => ({ ...contactListQuery(id), staleTime: 60_000 });

/** Contact lists, eight a page. A list cannot be both included and excluded. */
export function ListPicker({ side }: { side: Side }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const form = useSendForm();
  const may = useCan()('contactLists.get');
  const { OwnerId } = useSettings().session;
  const [page, setPage] = useState(1);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), FIND_DEBOUNCE_MS);
  const { data, error } = useQuery({
    ...findQuery(contactListSpec, {
      offset: (page - 1) * PAGE_SIZE,
      limit: PAGE_SIZE,
      order: [{ field: 'createdAt', direction: 'desc' }],
      search: search || undefined,
      // Contacts of blacklists are excluded anyway.
      filter: { OwnerId, ...(side === 'include' && { type: ['regular'] }) },
    }),
    placeholderData: keepPreviousData,
    enabled: may,
  });
  const pages = Math.ceil((data?.total ?? 0) / PAGE_SIZE);
  if (!may) return null;
  const { lists } = form.values[side];
  const others = form.values[side === 'include' ? 'exclude' : 'include'].lists;
  const put = (next: string[]) => {
    form.clearErrors('include', 'exclude');
    form.set({ [side]: { ...form.values[side], lists: next } });
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} id={id}>
          {t('send:lists')}
        </Text>
        <TextInput
          size="xs"
          w={220}
          aria-label={t('send:searchLists')}
          placeholder={t('send:searchLists')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setPage(1);
          }}
        />
      </Group>
      <ChosenLists
        ids={lists}
        onRemove={(removed) => put(lists.filter((list) => list !== removed))}
      />
      {!!error && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {errorText(t, error)}
        </Text>
      )}
      {!data && !error && <Skeleton height={180} />}
      {data?.total === 0 && (
        <Text size="sm" c="dimmed">
          {search ? t('send:noListFound') : t('send:noLists')}
        </Text>
      )}
      <Stack gap={6}>
        {data?.data.map((list) => {
          const isTaken = others.includes(list.id);
          return (
            <Checkbox
              key={list.id}
              checked={lists.includes(list.id)}
              disabled={isTaken}
              onChange={(event) =>
                put(
                  event.currentTarget.checked
                    ? [...lists, list.id]
                    : lists.filter((chosen) => chosen !== list.id),
                )
              }
              label={t('send:listCount', {
                title: list.title,
                count: list.count,
                number: formats.number(list.count),
              })}
              description={isTaken ? t(`send:taken.${side}`) : undefined}
            />
          );
        })}
      </Stack>
      <PageButtons
        page={page}
        pages={pages}
        previous={t('list:previousPage')}
        next={t('list:nextPage')}
        place={t('send:pageOf', { page, pages })}
        onChange={setPage}
      />
      <SegmentPicker side={side} />
    </Stack>
  );
}

/** The selected lists by name, from all pages. */
function ChosenLists({ ids, onRemove }: { ids: string[]; onRemove: (id: string) => void }) {
  const { t } = useTranslation();
  const segments = useOwnSegments();
  const segmentOf = (id: string) => segments?.find((one) => one.id === id);
  const rows = useQueries({
    queries: ids.map((id) => ({ ...listQuery(id), enabled: !!segments && !segmentOf(id) })),
  });
  if (!ids.length) return null;
  return (
    <Group gap={6} role="group" aria-label={t('send:chosenLists')}>
      {ids.map((id, i) => {
        const title =
          segmentOf(id)?.title ??
          rows[i]?.data?.title ??
          (rows[i]?.error ? t('send:listGone') : '…');
        return (
          <Pill
            key={id}
            size="md"
            withRemoveButton
            onRemove={() => onRemove(id)}
            removeButtonProps={{
              'aria-label': t('send:removeList', { title }),
              'aria-hidden': undefined,
              tabIndex: 0,
            }}
          >
            {title}
          </Pill>
        );
      })}
    </Group>
  );
}
