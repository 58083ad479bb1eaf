import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../core/use-formats.ts';
import { isFirstUse } from '../state/list-state.ts';
import type { ListControl } from '../state/use-list-state.ts';
import type { List } from '../state/use-list.ts';

/** The number of rows, beside the title of their page; narrow windows have no room for it. */
export function ListTotal({ list, control }: { list: List<unknown>; control: ListControl }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { total: count, totalIsCapped, loading, error } = list;
  if (loading || error || isFirstUse(list, control.state)) return null;
  return (
    <Text size="sm" c="dimmed" className="numeric" visibleFrom="sm">
      {t(totalIsCapped ? 'list:more' : 'list:total', { count, total: formats.number(count) })}
    </Text>
  );
}
