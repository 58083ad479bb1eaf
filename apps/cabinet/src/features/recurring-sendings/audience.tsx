import type { RecurringSending } from '@heliograph/contract';
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { contactListQuery } from '../contact-lists/contact-lists.api.ts';
import { useOwnSegments } from '../contact-lists/segments/segments.api.ts';

const MAX_NAMED = 3;

/** The first lists and segments by name; of another account, whose segments are not known here, their number. */
export function Audience({ row }: { row: RecurringSending }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const isOwn = useSettings().session.OwnerId === row.OwnerId && can('contactLists.get');
  const { include } = row.recipient;
  if (isOwn) return <Names ids={include} />;
  return t('recurringSendings:audience', { number: formats.number(include.length) });
}

function Names({ ids }: { ids: string[] }) {
  const { t } = useTranslation();
  const segments = useOwnSegments();
  const named = ids.slice(0, MAX_NAMED);
  const segmentOf = (id: string) => segments?.find((one) => one.id === id);
  const lists = useQueries({
    queries: named.map((id) => ({
      ...contactListQuery(id),
      enabled: !!segments && !segmentOf(id),
      retry: false,
    })),
  });
  const names = named.map(
    (id, i) =>
      segmentOf(id)?.title ??
      lists[i]?.data?.title ??
      (lists[i]?.error ? t('recurringSendings:gone') : '…'),
  );
  const more = ids.length - named.length;
  const text = names.join(', ') + (more > 0 ? ` +${more}` : '');
  return <span title={text}>{text}</span>;
}
