import { useQuery } from '@tanstack/react-query';
import { useCan } from '../../core/settings.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { contactListSpec } from '../contact-lists/contact-lists.api.ts';

/** The endpoint accepts at most so many ids. */
const MAX_IDS = 200;

/** The title of a contact list by its id; the id while it is loading, null when there is no such list. */
export function useListTitles(ids: readonly string[]): (id: string) => string | null {
  const isEnabled = useCan()('contactLists.get') && ids.length > 0;
  const requested = ids.slice(0, MAX_IDS);
  const { data } = useQuery({
    ...findQuery(contactListSpec, {
      limit: MAX_IDS,
      order: [{ field: 'createdAt', direction: 'desc' }],
      filter: { id: requested },
    }),
    enabled: isEnabled,
  });
  return (id) => {
    const found = data?.data.find((list) => list.id === id);
    return found?.title ?? (data && requested.includes(id) ? null : id);
  };
}
