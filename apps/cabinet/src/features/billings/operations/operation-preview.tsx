import type { BillingOperation } from '@heliograph/contract';
import { operationReason, type Locale, type OperationReason } from '@heliograph/domain';
import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../../core/use-formats.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Money } from '../../../ui/money.tsx';
import { OperationRows } from './operation-rows.tsx';

/** What an operation would do: sums, problems by reason, and its rows. */
export function OperationPreview({ operation }: { operation: BillingOperation }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const { rows, ready, repeated, reasons, sums, previous } = operation;
  const numbers = { ready: formats.number(ready), rows: formats.number(rows) };
  const problems = Object.entries(reasons) as [OperationReason, number][];
  return (
    <Stack>
      <Text fw={600} role="status">
        {t('operations:ready', numbers)}
      </Text>
      {ready === 0 && (
        <Alert color="red" role="alert">
          {t('operations:nothing')}
        </Alert>
      )}
      {previous && (
        <Alert color="yellow" role="alert">
          <Text size="sm">
            {t('operations:previous', { date: formats.dateTime(previous.startedAt) })}
          </Text>
          <Anchor component={Link} size="sm" to={`/messages/tasks?id=${previous.id}`}>
            {t('operations:task')}
          </Anchor>
        </Alert>
      )}
      <Facts
        facts={[
          ...sums.flatMap(({ currency, credits, debits, accounts }) => [
            {
              label: t('operations:credits', { currency }),
              value: credits > 0 && <Money value={credits} currency={currency} />,
            },
            {
              label: t('operations:debits', { currency }),
              value: debits > 0 && <Money value={debits} currency={currency} />,
            },
            { label: t('operations:accounts', { currency }), value: formats.number(accounts) },
          ]),
          { label: t('operations:repeated'), value: repeated > 0 && formats.number(repeated) },
        ]}
      />
      {problems.length > 0 && (
        <Alert color="yellow" title={t('operations:problems')}>
          <List size="sm">
            {problems.map(([reason, count]) => (
              <List.Item key={reason}>
                {t('operations:reason', {
                  reason: operationReason(i18n.language as Locale, reason),
                  number: formats.number(count),
                })}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <OperationRows operation={operation} />
    </Stack>
  );
}
