import {
  MARGIN_GROUPS,
  MAX_MARGIN_DAYS,
  MAX_MARGIN_ROWS,
  type MarginGroup,
  type MarginRow,
} from '@heliograph/contract';
import { isSendingType } from '@heliograph/domain';
import {
  Alert,
  Anchor,
  Button,
  Group,
  NativeSelect,
  Paper,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { isOneOf } from '../../core/is-one-of.ts';
import { csvText } from '../../core/csv-text.ts';
import { useOperatorNames } from '../../core/operator-names.ts';
import { useOwnerName } from '../../core/owners.ts';
import type { Period } from '../../core/period.ts';
import { useCan, useMayOpen } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { AppliedFilters } from '../../list/filters/applied-filters.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconCoins, IconDownload } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { saveText } from '../../ui/save-text.ts';
import {
  daysOf,
  faultOf,
  lastDays,
  FILTERS,
  narrowed,
  ordered,
  ORDERS,
  shareOf,
  type Filter,
} from './margin-figures.ts';
import { marginsQuery, type MarginsAsked } from './margins.api.ts';
import classes from './margins.module.css';

const SPANS = [
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
] as const satisfies readonly Period[];
const OWN = 'own';

/** `/margins`: what messages were charged, what carriers took, and the difference, by what they are of. */
export function MarginsPage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const [askedBy, setBy] = useParam('by');
  const [askedPeriod, setPeriod] = useParam('period');
  const [askedOrder, setOrder] = useParam('order');
  const by = isOneOf(MARGIN_GROUPS, askedBy) ? askedBy : 'account';
  const order = isOneOf(ORDERS, askedOrder) ? askedOrder : 'amount';
  const asked = askedPeriod && daysOf(askedPeriod);
  const days = asked || lastDays();
  const period = asked ? askedPeriod : OWN;
  const fault = faultOf(days);
  const query = { ...days, by, ...filtersOf(params) };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...marginsQuery(query),
    enabled: !fault,
  });
  const nameOf = useNames(by);
  const replace = { replace: true };
  const setDay = (edge: 'from' | 'to', day: string) => {
    const next = { ...days, [edge]: day };
    if (day) setPeriod(`${next.from}..${next.to}`, replace);
  };
  const rows = data && !fault ? ordered(data.data, by, order) : [];
  return (
    <>
      <PageHeader title={t('margins:title')}>
        {rows.length > 0 && (
          <Export rows={rows} by={by} nameOf={nameOf} isDisabled={isPlaceholderData} />
        )}
      </PageHeader>
      <Text size="sm" c="dimmed" mb="md" maw={720}>
        {t('margins:intro')}
      </Text>
      <Group align="start" mb="md">
        <NativeSelect
          label={t('margins:by')}
          value={by}
          data={MARGIN_GROUPS.map((value) => ({ value, label: t(`margins:group.${value}`) }))}
          onChange={(event) => setBy(event.currentTarget.value, replace)}
        />
        <NativeSelect
          label={t('margins:period')}
          value={isOneOf(SPANS, period) ? period : OWN}
          data={[...SPANS, OWN].map((value) => ({ value, label: t(`list:period.${value}`) }))}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setPeriod(value === OWN ? `${days.from}..${days.to}` : value, replace);
          }}
        />
        <TextInput
          type="date"
          label={t('list:period.from')}
          value={days.from}
          onChange={(event) => setDay('from', event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('list:period.to')}
          value={days.to}
          error={
            fault &&
            t(fault === 'long' ? 'margins:tooLong' : 'list:period.reversed', {
              number: MAX_MARGIN_DAYS,
            })
          }
          onChange={(event) => setDay('to', event.currentTarget.value)}
        />
        <NativeSelect
          label={t('margins:order.label')}
          value={order}
          data={ORDERS.map((value) => ({ value, label: t(`margins:order.${value}`) }))}
          onChange={(event) => setOrder(event.currentTarget.value, replace)}
        />
      </Group>
      <Chips />
      {fault ? null : !data && error ? (
        <ErrorCard title={t('margins:failed')} error={error} onRetry={() => void refetch()} />
      ) : !data || (isPlaceholderData && !rows.length) ? (
        <DetailsSkeleton />
      ) : rows.length === 0 ? (
        <Empty icon={IconCoins} title={t('margins:empty.title')} text={t('margins:empty.text')} />
      ) : (
        // Sums of what was asked for before lead nowhere.
        <Stack
          gap="md"
          inert={isPlaceholderData}
          aria-busy={isPlaceholderData}
          opacity={isPlaceholderData ? 0.55 : 1}
        >
          <Unpriced totals={data.totals} />
          <Paper withBorder p="md">
            <Sums rows={rows} totals={data.totals} by={by} nameOf={nameOf} />
          </Paper>
        </Stack>
      )}
    </>
  );
}

/** Only those that the endpoint would not refuse. */
function filtersOf(params: URLSearchParams): Partial<MarginsAsked> {
  const given = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  return given.type && !isSendingType(given.type) ? { ...given, type: undefined } : given;
}

type NameOf = (row: Pick<MarginRow, 'key' | 'name'>) => string;

function useNames(by: MarginGroup): NameOf {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ key, name }) => {
    if (key === null) return t('margins:unknown');
    if (by === 'day') return formats.day(key);
    if (by === 'type') return t(`common:type.${key}`);
    if (by === 'country') return formats.region(key);
    return name ?? key;
  };
}

/** What the sums are narrowed to, each with a button that removes it. */
function Chips() {
  const { t } = useTranslation();
  const formats = useFormats();
  const [params, setParams] = useSearchParams();
  const owner = useOwnerName(params.get('OwnerId'));
  const network = params.get('mccmnc');
  const operator = useOperatorNames(network ? [network] : []);
  const remove = (name: Filter) =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete(name);
      return next;
    });
  const shown: Record<Filter, (value: string) => string> = {
    OwnerId: (value) => owner || value,
    ChannelId: (value) => value,
    type: (value) => t(`common:type.${value}`),
    country: (value) => formats.region(value),
    mccmnc: operator,
  };
  const filters = FILTERS.flatMap((name) => {
    const value = params.get(name);
    const label = t(`margins:filter.${name}`);
    if (!value) return [];
    const text = t('common:labelled', { label, value: shown[name](value) });
    return [{ key: name, text, remove: () => remove(name) }];
  });
  return filters.length ? <AppliedFilters filters={filters} mb="md" /> : null;
}

/** How much is not known, and where it is to be entered. */
function Unpriced({ totals }: { totals: readonly MarginRow[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const can = useCan();
  const [params] = useSearchParams();
  const count = (rows: readonly MarginRow[]) => rows.reduce((sum, row) => sum + row.messages, 0);
  const unpriced = count(totals.filter(({ cost }) => cost === null));
  const isForeign = totals.some(({ cost, margin }) => cost !== null && margin === null);
  const byChannel = new URLSearchParams(params);
  byChannel.set('by', 'channel');
  if (!unpriced && !isForeign) return null;
  return (
    <Alert color="yellow">
      {unpriced > 0 && (
        <Text size="sm">
          {t('margins:unpriced', {
            number: formats.number(unpriced),
            total: formats.number(count(totals)),
          })}{' '}
          <Anchor component={Link} inherit to={`/margins?${byChannel}`}>
            {t('margins:byChannel')}
          </Anchor>
          {can('purchasePrices.update', 'managerUp') && ` ${t('margins:addPrices')}`}
        </Text>
      )}
      {isForeign && <Text size="sm">{t('margins:foreign')}</Text>}
    </Alert>
  );
}

const FIGURES = ['messages', 'amount', 'refunded', 'cost', 'margin', 'share'] as const;

interface SumsProps {
  rows: readonly MarginRow[];
  by: MarginGroup;
  nameOf: NameOf;
}

function Sums({ rows, totals, by, nameOf }: SumsProps & { totals: readonly MarginRow[] }) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const currencies = [...rows, ...totals].flatMap((row) => [row.currency, row.costCurrency]);
  const isMixed = new Set(currencies.filter(Boolean)).size > 1;
  return (
    <div className={classes.scroll} role="region" aria-label={t('margins:table')} tabIndex={0}>
      <Table className="numeric" aria-label={t('margins:table')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t(`margins:group.${by}`)}</Table.Th>
            {FIGURES.map((name) => (
              <Table.Th key={name} scope="col" ta="end">
                {t(`margins:figure.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className={classes.totals}>
          {totals.map((row) => (
            <Sum key={idOf(row)} row={row} name={t('margins:total')} to={null} isMixed={isMixed} />
          ))}
        </Table.Tbody>
        <Table.Tbody>
          {rows.map((row) => (
            <Sum
              key={idOf(row)}
              row={row}
              name={nameOf(row)}
              to={narrowed(params, by, row.key)}
              channel={by === 'channel' ? row.key : null}
              isMixed={isMixed}
            />
          ))}
        </Table.Tbody>
      </Table>
      {rows.length >= MAX_MARGIN_ROWS && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('margins:cut')}
        </Text>
      )}
    </div>
  );
}

const idOf = ({ key, currency, costCurrency }: MarginRow) => `${key} ${currency} ${costCurrency}`;

interface SumProps {
  row: MarginRow;
  name: string;
  to: string | null;
  /** Whose prices the row is about. */
  channel?: string | null;
  /** There are sums in several currencies, which may have the same symbol. */
  isMixed: boolean;
}

/** Sums in the currency of the accounts, and the cost in that of the carrier. */
function Sum({ row, name, to, channel = null, isMixed }: SumProps) {
  const { t } = useTranslation();
  const can = useCan();
  const mayOpen = useMayOpen();
  const display = isMixed ? 'code' : undefined;
  const charged = useFormats(row.currency, display);
  const paid = useFormats(row.costCurrency ?? undefined, display);
  const { messages, amount, refunded, cost, margin } = row;
  const share = shareOf(row);
  const color = margin !== null && margin < 0 ? 'red' : undefined;
  const isLinked =
    channel !== null && can('purchasePrices.get', 'managerUp') && mayOpen('/channels');
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        {to ? (
          <Anchor component={Link} to={to} inherit>
            {name}
          </Anchor>
        ) : (
          name
        )}
      </Table.Th>
      <Table.Td ta="end">{charged.number(messages)}</Table.Td>
      <Table.Td ta="end">{charged.money(amount)}</Table.Td>
      <Table.Td ta="end">{refunded ? charged.money(refunded) : '–'}</Table.Td>
      <Table.Td ta="end">
        {cost !== null ? (
          paid.money(cost)
        ) : isLinked ? (
          <Anchor component={Link} to={`/channels?id=${channel}`} inherit>
            {t('margins:noPrice')}
          </Anchor>
        ) : (
          <Text span inherit c="dimmed">
            {t('margins:noPrice')}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end" c={color}>
        {margin === null ? '–' : charged.money(margin)}
      </Table.Td>
      <Table.Td ta="end" c={color}>
        {share === null ? '–' : charged.percent(share)}
      </Table.Td>
    </Table.Tr>
  );
}

function Export({ rows, by, nameOf, isDisabled }: SumsProps & { isDisabled: boolean }) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const save = () => {
    const header = [
      t(`margins:group.${by}`),
      t('margins:figure.messages'),
      t('margins:currency'),
      t('margins:figure.amount'),
      t('margins:figure.refunded'),
      t('margins:costCurrency'),
      t('margins:figure.cost'),
      t('margins:figure.margin'),
    ];
    const lines = rows.map((row) => [
      nameOf(row),
      row.messages,
      row.currency,
      row.amount,
      row.refunded,
      row.costCurrency,
      row.cost,
      row.margin,
    ]);
    saveText('margins.csv', csvText([header, ...lines], locale), 'text/csv;charset=utf-8');
  };
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      disabled={isDisabled}
      onClick={save}
    >
      CSV
    </Button>
  );
}
