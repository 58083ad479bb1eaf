import type { BillingOperation, BillingOperationRow } from '@heliograph/contract';
import { operationReason, type Locale, type OperationReason } from '@heliograph/domain';
import { Alert, Anchor, List, Stack, Text, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormats } from '../../../core/use-formats.ts';
import { Blurred } from '../../../ui/blurred.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Money } from '../../../ui/money.tsx';
import { PageButtons } from '../../../ui/page-buttons.tsx';
import { OperationError } from './operation-error.tsx';
import classes from './operation-preview.module.css';
import { operationRowsQuery, ROWS_PER_PAGE } from './operations.api.ts';

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

/** The rows of a file, twenty to a page: all of them, or those with a problem. */
function OperationRows({ operation: { id, reasons } }: { operation: BillingOperation }) {
  const { t } = useTranslation();
  const hasProblems = Object.keys(reasons).length > 0;
  const [isFiltered, setFiltered] = useState(hasProblems);
  const [page, setPage] = useState(1);
  const { data, error } = useQuery(operationRowsQuery(id, isFiltered, page));
  const pages = Math.ceil((data?.total ?? 0) / ROWS_PER_PAGE);
  return (
    <section aria-label={t('operations:rows')}>
      {hasProblems && (
        <SegmentedControl
          fullWidth
          aria-label={t('operations:rows')}
          value={isFiltered ? 'problems' : 'all'}
          onChange={(value) => {
            setFiltered(value === 'problems');
            setPage(1);
          }}
          data={[
            { value: 'problems', label: t('operations:show.problems') },
            { value: 'all', label: t('operations:show.all') },
          ]}
        />
      )}
      <OperationError error={error} />
      {!data && !error && <Skeleton height={200} mt="xs" />}
      {data?.data.length === 0 && (
        <Text size="sm" mt="xs">
          {t('operations:noRows')}
        </Text>
      )}
      <ul className={classes.rows}>
        {data?.data.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
      <PageButtons
        page={page}
        pages={pages}
        previous={t('operations:earlier')}
        next={t('operations:later')}
        place={t('operations:page', { page, pages })}
        onChange={setPage}
        mt="xs"
      />
    </section>
  );
}

function Row({ row }: { row: BillingOperationRow }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const { n, account, Owner, amount, currency, comment, isRepeated, reason } = row;
  const notes = [
    t('operations:row', { number: formats.number(n) }),
    Owner && Owner.username !== account && account,
    isRepeated && t('operations:isRepeated'),
    comment,
  ].filter(Boolean);
  return (
    <li className={classes.row}>
      <Text size="sm" className={classes.account}>
        {Owner?.username ?? account}
      </Text>
      <Text size="sm" c={amount !== null && amount < 0 ? 'var(--mantine-color-error)' : undefined}>
        {amount !== null && (
          <Blurred what={t('operations:column.amount')}>
            <Money value={amount} currency={currency ?? undefined} />
          </Blurred>
        )}
      </Text>
      <Text size="xs" c="dimmed" className={classes.note}>
        {notes.join(' · ')}
      </Text>
      {reason && (
        <Text size="xs" c="var(--mantine-color-error)" className={classes.note}>
          {operationReason(i18n.language as Locale, reason)}
        </Text>
      )}
    </li>
  );
}
