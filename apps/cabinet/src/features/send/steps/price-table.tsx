import type { Estimate, EstimateLine } from '@heliograph/contract';
import { Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../../core/formats.ts';
import { useFormats } from '../../../core/use-formats.ts';
import { estimateText } from '../../estimates/estimates.api.ts';

/** The price by operator (messages × price), the total and the remaining balance. */
export function PriceTable({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation();
  const formats = useFormats(estimate.currency);
  const { operators, amount, max, covered, balanceAfter, exact, byLength } = estimate;
  const sums = (from: number, to: number) =>
    from === to
      ? estimateText(t, formats, { byLength, amount: from })
      : range(formats.money, from, to);
  return (
    <Stack gap="sm">
      <Table verticalSpacing={6} horizontalSpacing="xs">
        <Table.Caption className="visually-hidden">{t('send:priceByOperator')}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('send:operator')}</Table.Th>
            <Table.Th scope="col">{t('send:formula')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('send:sum')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {operators.map((operator) => (
            <Table.Tr key={operator.mccmnc ?? ''}>
              <Table.Th
                scope="row"
                fw={500}
                style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}
              >
                {operator.name ?? t('send:noOperator')}
              </Table.Th>
              <Table.Td className="numeric" style={{ verticalAlign: 'top' }}>
                {operator.lines.map((line) => (
                  <Formula
                    key={`${line.multiplier} ${String(line.price)}`}
                    line={line}
                    formats={formats}
                  />
                ))}
              </Table.Td>
              <Table.Td ta="end" className="numeric" style={{ verticalAlign: 'top' }}>
                {sums(operator.amount, operator.max)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row" colSpan={2}>
              {t('send:total')}
            </Table.Th>
            <Table.Td ta="end" fw={700} className="numeric" data-amount>
              {sums(amount, max)}
            </Table.Td>
          </Table.Tr>
          {covered && (
            <>
              <Table.Tr>
                <Table.Th scope="row" colSpan={2} fw={400} c="dimmed">
                  {t('send:coveredByPackages', { number: formats.number(covered.count) })}
                </Table.Th>
                <Table.Td ta="end" className="numeric">
                  {formats.money(-covered.amount)}
                </Table.Td>
              </Table.Tr>
              <Table.Tr>
                <Table.Th scope="row" colSpan={2}>
                  {t('send:toPay')}
                </Table.Th>
                <Table.Td ta="end" fw={700} className="numeric">
                  {range(formats.money, covered.toPay, covered.toPay + max - amount)}
                </Table.Td>
              </Table.Tr>
            </>
          )}
          {balanceAfter !== undefined && (
            <Table.Tr>
              <Table.Th scope="row" colSpan={2} fw={400} c="dimmed">
                {t('send:balanceAfter')}
              </Table.Th>
              <Table.Td ta="end" className="numeric">
                {range(formats.money, balanceAfter, balanceAfter - (max - amount))}
              </Table.Td>
            </Table.Tr>
          )}
        </Table.Tfoot>
      </Table>
      <TemplateMatches estimate={estimate} />
      {max > amount && (
        <Text size="xs" c="dimmed">
          {t('send:rangeHint')}
        </Text>
      )}
      {byLength && (
        <Text size="xs" c="dimmed">
          {t('common:callsAtMost')}
        </Text>
      )}
      {!exact && (
        <Text size="xs" c="dimmed">
          {t('send:estimate.sample')}
        </Text>
      )}
    </Stack>
  );
}

/** Which operator template the texts match, and what the messages cost for it. */
function TemplateMatches({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation();
  const formats = useFormats(estimate.currency);
  if (!estimate.templates.length) return null;
  return (
    <section aria-label={t('send:templateMatches')}>
      {estimate.templates.map(({ title, group, count, amount }) => (
        <Text key={`${group} ${title}`} size="sm">
          {t(title === null ? 'send:matchesNone' : 'send:matchesTemplate', {
            title,
            group: t(`common:group.${group}`),
            count,
            sum: formats.money(amount),
          })}
        </Text>
      ))}
    </section>
  );
}

/** One sum, or from the first attempts to all that could follow. */
function range(money: (sum: number) => string, from: number, to: number): string {
  return from === to ? money(from) : `${money(from)} – ${money(to)}`;
}

/** `10 × 2 × 3.20 ₽`; of a call `10 × (0.60 ₽ + 30 s × 0.09 ₽)`. */
function Formula({ line, formats }: { line: EstimateLine; formats: Formats }) {
  const { t } = useTranslation();
  const { count, multiplier, price } = line;
  const values = { number: formats.number(count), multiplier: formats.number(multiplier) };
  return (
    <div style={{ whiteSpace: 'nowrap' }}>
      {Array.isArray(price)
        ? t('send:formulaOfCall', {
            ...values,
            call: formats.money(price[0] ?? 0),
            second: formats.money(price[1] ?? 0),
          })
        : t('send:formulaOfMessage', { ...values, price: formats.money(price) })}
    </div>
  );
}
