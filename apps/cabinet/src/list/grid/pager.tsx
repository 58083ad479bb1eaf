import { Group, NativeSelect, Pagination, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import type { ListControl } from '../state/use-list-state.ts';
import type { List } from '../state/use-list.ts';

const EDGES = {
  first: 'list:firstPage',
  previous: 'list:previousPage',
  next: 'list:nextPage',
  last: 'list:lastPage',
};

const KEYS: Partial<Record<keyof typeof EDGES, string>> = { previous: '[', next: ']' };

/** The range of rows, the other pages and the page size. Absent when all rows are on one page. */
export function Pager({ list, control }: { list: List<unknown>; control: ListControl }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const narrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const { page, size } = control.state;
  const { sizes } = control.spec;
  const { total, totalIsCapped, rows } = list;
  if (rows.length === 0 || (total <= sizes[0]! && page === 1)) return null;
  const from = (page - 1) * size + 1;
  const values = {
    from: formats.number(from),
    to: formats.number(from + rows.length - 1),
    total: formats.number(total),
  };
  const go = (next: number) => {
    control.set({ page: next });
    scrollTo({ top: 0 });
  };
  return (
    <Group justify="space-between" mt="md" gap="sm" component="nav" aria-label={t('list:pages')}>
      <Text size="sm" c="dimmed" role="status">
        {totalIsCapped ? t('list:rangeOfMany', values) : t('list:range', values)}
      </Text>
      <Pagination
        value={page}
        onChange={go}
        total={Math.ceil(total / size)}
        siblings={narrow ? 0 : 1}
        size={narrow ? 'md' : 'sm'}
        getItemProps={(number) => ({ 'aria-label': t('list:page', { page: number }) })}
        getControlProps={(edge) => ({
          'aria-label': t(EDGES[edge]),
          'aria-keyshortcuts': KEYS[edge],
        })}
      />
      <NativeSelect
        size="xs"
        aria-label={t('list:pageSize')}
        value={String(size)}
        onChange={(event) => control.set({ size: Number(event.currentTarget.value) })}
        data={sizes.map((n) => ({ value: String(n), label: t('list:perPage', { count: n }) }))}
      />
    </Group>
  );
}
