import type { TariffRule } from '@heliograph/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperatorNames } from '../../core/operator-names.ts';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { contactListSpec } from '../contact-lists/contact-lists.api.ts';
import { valuesIn, type Words } from './rule-sentence.ts';

/** The endpoint accepts at most so many ids. */
const MAX_IDS = 200;

/** What sentences of rules need: names of networks and titles of lists. `currency`: that of the tariff's account; the user's own when absent. */
export function useRuleWords(
  rules: readonly Pick<TariffRule, 'conditions'>[],
  currency?: string,
): Words {
  const { t } = useTranslation();
  const formats = useFormats(currency);
  const codes = useMemo(() => valuesIn(rules, 'mccmnc'), [rules]);
  const lists = useMemo(() => valuesIn(rules, 'contactList'), [rules]);
  return { t, formats, operator: useOperatorNames(codes), list: useListTitles(lists) };
}

/** The title of a contact list by its id; the id while it is loading, null when there is no such list. */
function useListTitles(ids: readonly string[]): (id: string) => string | null {
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
