import type { UserTariff } from '@heliograph/contract';
import { Badge, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { useCan } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { findQuery } from '../../list/state/use-list.ts';
import { contactListSpec } from '../contact-lists/contact-lists.api.ts';
import { ruleSentence, valuesIn } from './rule-sentence.ts';
import { operatorsQuery } from './tariffs.api.ts';

interface TariffRulesProps {
  tariff: z.infer<typeof UserTariff>;
  /** The currency of the tariff's account; the user's own when absent. */
  currency?: string;
}

/** The rules of a tariff in the order in which they are tried: the first that fits gives the price. */
export function TariffRules({ tariff, currency }: TariffRulesProps) {
  const { t } = useTranslation();
  const formats = useFormats(currency);
  const codes = useMemo(() => valuesIn(tariff.finalRules, 'mccmnc'), [tariff]);
  const lists = useMemo(() => valuesIn(tariff.finalRules, 'contactList'), [tariff]);
  const operator = useOperatorNames(codes);
  const list = useListTitles(lists);
  return (
    <Table>
      <caption className="visually-hidden">{t('tariffs:rulesOf', { title: tariff.title })}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('tariffs:ruleText')}</Table.Th>
          <Table.Th scope="col" w={90} style={{ textAlign: 'end' }}>
            {t('tariffs:priority')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tariff.finalRules.map((rule) => (
          <Table.Tr key={rule.id}>
            <Table.Td>
              {ruleSentence(rule, tariff.source, { t, formats, operator, list })}{' '}
              {rule.action === 'decrease' && (
                <Badge variant="light" color="green" radius="sm" tt="none" fw={500}>
                  {t('tariffs:discount')}
                </Badge>
              )}
            </Table.Td>
            <Table.Td className="numeric" style={{ textAlign: 'end' }}>
              {formats.number(rule.priority)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** The name of a network by its code, of a country by `401*`; the code while it is unknown. */
function useOperatorNames(codes: string[]): (mccmnc: string) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  // The endpoint accepts at most 200 codes.
  const { data } = useQuery(operatorsQuery(codes.slice(0, 200)));
  return (mccmnc) => {
    const found = data?.data.find((operator) => operator.mccmnc === mccmnc);
    if (!found) return mccmnc;
    const country = formats.region(found.country);
    return mccmnc.endsWith('*')
      ? t('tariffs:anyOperator', { country })
      : t('tariffs:operator', { name: found.name ?? mccmnc, country });
  };
}

/** The endpoint accepts at most so many ids. */
const MAX_IDS = 200;

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
