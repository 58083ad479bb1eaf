import type { CatalogueTariff, ComparisonRow, TariffComparison } from '@heliograph/contract';
import { neutralizeCell } from '@heliograph/domain';
import {
  Alert,
  Anchor,
  Button,
  Group,
  NativeSelect,
  Progress,
  ScrollArea,
  SimpleGrid,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors } from '../../core/errors.ts';
import { periodBounds } from '../../core/period.ts';
import type { Formats } from '../../core/formats.ts';
import { useFormats } from '../../core/use-formats.ts';
import { AsyncSelect } from '../../ui/async-select.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconDownload } from '../../ui/icons.ts';
import { saveText } from '../../ui/save-text.ts';
import {
  comparisonQuery,
  tariffSource,
  useCompare,
  versionsQuery,
  type ComparisonBody,
  type Rule,
} from './catalogue.api.ts';

interface ComparisonDialogProps {
  opened: boolean;
  row: CatalogueTariff;
  /** Of the form, saved or not. */
  rules: Rule[];
  onClose: () => void;
}

const PERIODS = ['lastMonth', 'last30'] as const;
const DAY = 86_400_000;
const DRAFT = 'draft';
const OTHER = 'other';

/** What the messages of the accounts that have a tariff would have cost by other rules. */
export function ComparisonDialog({ opened, row, rules, onClose }: ComparisonDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const versions = useQuery(versionsQuery(row.id)).data?.data ?? [];
  const [first, setFirst] = useState(String(row.version));
  const [second, setSecond] = useState<string>(DRAFT);
  const [other, setOther] = useState<string | null>(null);
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('lastMonth');
  const compare = useCompare();
  const numbers = versions.map(({ number, isInForce }) => ({
    value: String(number),
    label: t(isInForce ? 'tariffCatalogue:compare.current' : 'tariffCatalogue:versionNumber', {
      number: formats.number(number),
    }),
  }));
  const start = () => {
    const now = Date.now();
    const { from = now - 30 * DAY, to = now } = periodBounds(period, now) ?? {};
    const TariffId = row.id;
    const body: ComparisonBody = {
      first: { TariffId, version: Number(first) },
      second:
        second === DRAFT
          ? { draft: { source: row.source, rules } }
          : second === OTHER
            ? { TariffId: other! }
            : { TariffId, version: Number(second) },
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    };
    compare.mutate(body);
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      savesNothing
      size={1000}
      title={t('tariffCatalogue:compare.title')}
    >
      <Stack>
        <Text size="sm">{t('tariffCatalogue:compare.hint')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          <NativeSelect
            label={t('tariffCatalogue:compare.first')}
            value={first}
            data={numbers}
            onChange={(event) => setFirst(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('tariffCatalogue:compare.second')}
            value={second}
            data={[
              { value: DRAFT, label: t('tariffCatalogue:compare.draft') },
              ...numbers,
              { value: OTHER, label: t('tariffCatalogue:compare.other') },
            ]}
            onChange={(event) => setSecond(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('tariffCatalogue:compare.period')}
            value={period}
            data={PERIODS.map((value) => ({
              value,
              label: t(`tariffCatalogue:compare.${value}`),
            }))}
            onChange={(event) => setPeriod(event.currentTarget.value as typeof period)}
          />
        </SimpleGrid>
        {second === OTHER && (
          <AsyncSelect
            source={tariffSource}
            value={other}
            onChange={setOther}
            label={t('tariffCatalogue:detail')}
            clearable={false}
          />
        )}
        {!!compare.error && (
          <Alert color="red" role="alert">
            {errorText(t, compare.error, fieldErrors(compare.error))}
          </Alert>
        )}
        <Group>
          <Button onClick={start} loading={compare.isPending} disabled={second === OTHER && !other}>
            {t('tariffCatalogue:compare.start')}
          </Button>
        </Group>
        {compare.data && <Result key={compare.data.id} started={compare.data} />}
      </Stack>
    </Dialog>
  );
}

function Result({ started }: { started: TariffComparison }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [account, setAccount] = useState<Pick<ComparisonRow, 'OwnerId' | 'username'> | null>(null);
  const { data = started, error } = useQuery({
    ...comparisonQuery(started.id, account?.OwnerId),
    placeholderData: keepPreviousData,
  });
  const { state, processed, total, isCut, totals } = data;
  if (error) return <Alert color="red">{errorText(t, error)}</Alert>;
  if (state === 'failed') return <Alert color="red">{t('tariffCatalogue:compare.failed')}</Alert>;
  if (state !== 'completed')
    return (
      <Stack gap="xs" role="status">
        <Text size="sm">
          {t('tariffCatalogue:compare.running', { number: formats.number(processed) })}
        </Text>
        <Progress
          value={total ? (processed / total) * 100 : 0}
          animated
          aria-label={t('tariffCatalogue:compare.title')}
        />
      </Stack>
    );
  if (!processed)
    return (
      <Text size="sm" role="status">
        {t('tariffCatalogue:compare.none')}
      </Text>
    );
  // Of another account, while the rows of this one are being read.
  const rows = data.data.filter(({ type, OwnerId }) =>
    account ? type !== null && OwnerId === account.OwnerId : type === null,
  );
  return (
    <Stack gap="sm">
      {isCut && (
        <Alert color="yellow">
          {t('tariffCatalogue:compare.cut', { number: formats.number(processed) })}
        </Alert>
      )}
      <Group justify="space-between">
        {account ? (
          <Button variant="default" size="xs" onClick={() => setAccount(null)}>
            {t('tariffCatalogue:compare.back')}
          </Button>
        ) : (
          <Text size="sm" c="dimmed">
            {t('tariffCatalogue:compare.basis')}
          </Text>
        )}
        <Export rows={rows} isOfAccount={!!account} />
      </Group>
      <ScrollArea type="auto">
        <Table
          miw={460}
          aria-label={account ? account.username : t('tariffCatalogue:compare.title')}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">
                {account ? account.username : t('tariffCatalogue:compare.account')}
              </Table.Th>
              {(['difference', 'first', 'second', 'messages'] as const).map((name) => (
                <Table.Th key={name} scope="col" ta="end">
                  {t(`tariffCatalogue:compare.${name}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Amounts key={`${row.OwnerId} ${row.type} ${row.mccmnc}`} row={row}>
                {account ? (
                  nameOf(row, t, formats)
                ) : (
                  <Anchor component="button" type="button" inherit onClick={() => setAccount(row)}>
                    {row.username}
                  </Anchor>
                )}
              </Amounts>
            ))}
          </Table.Tbody>
          {!account && (
            <Table.Tfoot>
              {totals.map((sums) => (
                <Amounts key={sums.currency} row={sums}>
                  {t('tariffCatalogue:compare.total')}
                </Amounts>
              ))}
            </Table.Tfoot>
          )}
        </Table>
      </ScrollArea>
      {data.hasMore && (
        <Text size="xs" c="dimmed">
          {t('tariffCatalogue:compare.more', { number: formats.number(data.data.length) })}
        </Text>
      )}
    </Stack>
  );
}

type T = ReturnType<typeof useTranslation>['t'];
type Sums = TariffComparison['totals'][number];

function nameOf(
  { type, operator, mccmnc, country }: ComparisonRow,
  t: T,
  formats: Formats,
): string {
  const name = operator ?? mccmnc;
  const network =
    name && country ? t('common:operatorOf', { name, country: formats.region(country) }) : name;
  return [t(`common:type.${type!}`), network ?? t('tariffs:calculator.unknown')].join(', ');
}

/** `+12`, `−3`, `0`. */
const signed = (value: number, shown: (value: number) => string): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${shown(Math.abs(value))}`;

function Amounts({ row, children }: { row: Sums; children: React.ReactNode }) {
  const { t } = useTranslation();
  const formats = useFormats(row.currency);
  const { messages, first, second, difference, percent } = row;
  const left = (['withoutFirst', 'withoutSecond', 'unknown'] as const).filter((name) => row[name]);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {children}
        {left.map((name) => (
          <Text key={name} size="xs" c="dimmed">
            {t(`tariffCatalogue:compare.${name}`, { number: formats.number(row[name]) })}
          </Text>
        ))}
      </Table.Th>
      <Table.Td ta="end" className="numeric">
        {signed(difference, formats.money)}
        {percent !== null && (
          <Text size="xs" c="dimmed">
            {signed(percent / 100, formats.percent)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="end" className="numeric">
        {formats.money(first)}
      </Table.Td>
      <Table.Td ta="end" className="numeric">
        {formats.money(second)}
      </Table.Td>
      <Table.Td ta="end" className="numeric">
        {formats.number(messages)}
      </Table.Td>
    </Table.Tr>
  );
}

function Export({ rows, isOfAccount }: { rows: ComparisonRow[]; isOfAccount: boolean }) {
  const { t } = useTranslation();
  const save = () => {
    const cell = (value: string | number | null) =>
      typeof value === 'string'
        ? `"${neutralizeCell(value).replaceAll('"', '""')}"`
        : `${value ?? ''}`;
    const header = [
      t('tariffCatalogue:compare.account'),
      ...(isOfAccount ? [t('tariffs:source'), t('tariffCatalogue:tags.mccmnc'), 'MCCMNC'] : []),
      ...(
        ['messages', 'billed', 'first', 'second', 'difference', 'percent', 'currency'] as const
      ).map((name) => t(`tariffCatalogue:compare.${name}`)),
      ...(['withoutFirst', 'withoutSecond', 'unknown'] as const).map((name) =>
        t(`tariffCatalogue:compare.column.${name}`),
      ),
    ];
    const lines = rows.map((row) => [
      row.username,
      ...(isOfAccount ? [t(`common:type.${row.type!}`), row.operator, row.mccmnc] : []),
      row.messages,
      row.billed,
      row.first,
      row.second,
      row.difference,
      row.percent,
      row.currency,
      row.withoutFirst,
      row.withoutSecond,
      row.unknown,
    ]);
    const text = [header, ...lines].map((line) => line.map(cell).join(',')).join('\r\n');
    // Excel reads UTF-8 only behind this mark.
    saveText('tariffs.csv', `\uFEFF${text}\r\n`, 'text/csv;charset=utf-8');
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={save}
    >
      CSV
    </Button>
  );
}
