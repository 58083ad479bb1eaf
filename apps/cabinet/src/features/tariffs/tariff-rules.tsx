import type { UserTariff } from '@heliograph/contract';
import { Badge, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { ruleSentence } from './rule-sentence.ts';
import { useRuleWords } from './use-rule-words.ts';

interface TariffRulesProps {
  tariff: z.infer<typeof UserTariff>;
  /** The currency of the tariff's account; the user's own when absent. */
  currency?: string;
}

/** The rules of a tariff in the order in which they are tried: the first that fits gives the price. */
export function TariffRules({ tariff, currency }: TariffRulesProps) {
  const { t } = useTranslation();
  const words = useRuleWords(tariff.finalRules, currency);
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
              {ruleSentence(rule, tariff.source, words)}{' '}
              {rule.action === 'decrease' && (
                <Badge variant="light" color="green" radius="sm" tt="none" fw={500}>
                  {t('tariffs:discount')}
                </Badge>
              )}
            </Table.Td>
            <Table.Td className="numeric" style={{ textAlign: 'end' }}>
              {words.formats.number(rule.priority)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
