import {
  ANALYTICS_DIMENSIONS,
  type Analytics,
  type AnalyticsDimension,
  type AnalyticsFigures,
  type AnalyticsRow,
} from '@heliograph/contract';
import {
  Anchor,
  Button,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Switch,
  Table,
  Text,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { csvText } from '../../core/csv-text.ts';
import { isOneOf } from '../../core/is-one-of.ts';
import type { Period } from '../../core/period.ts';
import { useCan, useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { useParam } from '../../core/use-param.ts';
import { Bars } from '../../ui/bars.tsx';
import { DetailsSkeleton } from '../../ui/details-skeleton.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorCard } from '../../ui/error-card.tsx';
import { IconDownload, IconReport } from '../../ui/icons.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { saveText } from '../../ui/save-text.ts';
import { analyticsQuery } from './analytics.api.ts';
import classes from './analytics.module.css';
import { FIGURES, messagesOf, shown, valueOf, withGaps, type Figure } from './figures.ts';

const SPANS = [
  'today',
  'yesterday',
  'week',
  'lastWeek',
  'month',
  'lastMonth',
] as const satisfies readonly Period[];
/** Of the picture over time. */
const KINDS = ['delivered', 'failed'] as const;

/** `/analytics`: figures of messages by what they are of, and beside those of the time before. */
export function AnalyticsPage() {
  const { t } = useTranslation();
  const { session } = useSettings();
  const [asked, setBy] = useParam('by');
  const [span, setPeriod] = useParam('period');
  const [compared, setCompared] = useParam('compare');
  const dimensions = ANALYTICS_DIMENSIONS.filter(
    (name) => name !== 'account' || session.level !== 'me',
  );
  const by = isOneOf(dimensions, asked) ? asked : 'type';
  const period = isOneOf(SPANS, span) ? span : 'lastWeek';
  const isCompared = compared === '1';
  const { data, error, refetch } = useQuery(analyticsQuery({ by, period, isCompared }));
  const nameOf = useNames(by);
  const replace = { replace: true };
  return (
    <>
      <PageHeader title={t('analytics:title')}>
        {data && data.data.length > 0 && <Export data={data} by={by} nameOf={nameOf} />}
      </PageHeader>
      <Group align="end" mb="md">
        <NativeSelect
          label={t('analytics:by')}
          value={by}
          data={dimensions.map((value) => ({ value, label: t(`analytics:dimension.${value}`) }))}
          onChange={(event) => setBy(event.currentTarget.value, replace)}
        />
        <NativeSelect
          label={t('analytics:period')}
          value={period}
          data={SPANS.map((value) => ({ value, label: t(`list:period.${value}`) }))}
          onChange={(event) => setPeriod(event.currentTarget.value, replace)}
        />
        <Switch
          mb={8}
          label={t('analytics:compare')}
          checked={isCompared}
          onChange={(event) => setCompared(event.currentTarget.checked ? '1' : null, replace)}
        />
      </Group>
      {!data && error ? (
        <ErrorCard title={t('analytics:failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <DetailsSkeleton />
      ) : data.data.length === 0 ? (
        <Nothing />
      ) : (
        <Stack gap="md">
          <Totals total={data.total} before={data.before} />
          <Paper withBorder p="md">
            {(by === 'day' || by === 'hour') && (
              <Bars
                isStacked
                kinds={KINDS}
                nameOf={(kind) => t(`analytics:figure.${kind}`)}
                steps={(by === 'day' ? withGaps(data.data) : data.data).map((row) => {
                  const name = nameOf(row);
                  const counts = 'figures' in row ? row.figures : undefined;
                  return { key: row.key, label: name, mark: name, counts };
                })}
              />
            )}
            <FiguresTable data={data} by={by} period={period} nameOf={nameOf} />
          </Paper>
        </Stack>
      )}
    </>
  );
}

function Nothing() {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <Empty icon={IconReport} title={t('analytics:empty.title')} text={t('analytics:empty.text')}>
      {can('sendings.generate') && (
        <Button component={Link} to="/send">
          {t('analytics:empty.action')}
        </Button>
      )}
    </Empty>
  );
}

function useNames(
  by: AnalyticsDimension,
): (row: Pick<AnalyticsRow, 'key'> & Partial<Pick<AnalyticsRow, 'title'>>) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  return ({ key, title }) => {
    if (!key) return t('analytics:none');
    if (by === 'day') return formats.day(key);
    if (by === 'hour') return `${key.padStart(2, '0')}:00`;
    if (by === 'type') return t(`common:type.${key}`);
    if (by === 'country') return formats.region(key);
    return title ?? key;
  };
}

const TILES: readonly Figure[] = [
  'messages',
  'share',
  'median',
  'cost',
  'covered',
  'replies',
  'clicks',
];

function Totals({ total, before }: { total: AnalyticsFigures; before: AnalyticsFigures | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const tiles = TILES.filter((name) => isShown(name, total, before));
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: tiles.length }} spacing="sm">
      {tiles.map((name) => (
        <Paper key={name} withBorder p="sm">
          <Text size="xs" c="dimmed">
            {t(`analytics:figure.${name}`)}
          </Text>
          <Text fw={600} className="numeric">
            {shown(valueOf(total, name), name, formats)}
          </Text>
          {before && <Before value={valueOf(before, name)} name={name} />}
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function Before({ value, name }: { value: number | null; name: Figure }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Text size="xs" c="dimmed" className="numeric">
      {t('analytics:before', { value: shown(value, name, formats) })}
    </Text>
  );
}

interface FiguresTableProps {
  data: Analytics;
  by: AnalyticsDimension;
  period: string;
  nameOf: (row: AnalyticsRow) => string;
}

/** Figures that a status of messages has are links to these. */
const STATUSES: Partial<Record<Figure, string>> = {
  delivered: 'delivered,seen',
  failed: 'failed',
};

function FiguresTable({ data, by, period, nameOf }: FiguresTableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const columns = figuresOf(data);
  return (
    <div className={classes.scroll} role="region" aria-label={t('analytics:table')} tabIndex={0}>
      <Table className="numeric" aria-label={t('analytics:table')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`analytics:dimension.${by}`)}</Table.Th>
            {columns.map((name) => (
              <Table.Th key={name} ta="end">
                {t(`analytics:figure.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.data.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Th scope="row" fw={500}>
                {nameOf(row)}
              </Table.Th>
              {columns.map((name) => {
                const value = valueOf(row.figures, name);
                const isListed = name === 'messages' || name in STATUSES;
                const to = isListed && value ? messagesOf(row, by, period, STATUSES[name]) : null;
                return (
                  <Table.Td key={name} ta="end">
                    {to ? (
                      <Anchor component={Link} to={to} inherit>
                        {shown(value, name, formats)}
                      </Anchor>
                    ) : (
                      shown(value, name, formats)
                    )}
                    {row.before && <Before value={valueOf(row.before, name)} name={name} />}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.isCut && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('analytics:cut')}
        </Text>
      )}
    </div>
  );
}

/** Those that the user may read, and that there are of what was asked for. Few accounts have packages. */
const isShown = (name: Figure, total: AnalyticsFigures, before: AnalyticsFigures | null) =>
  name === 'covered'
    ? !!(total.covered || before?.covered)
    : name === 'share' || total[name] !== null;

const figuresOf = ({ total, before }: Analytics): Figure[] =>
  FIGURES.filter((name) => isShown(name, total, before));

function Export({ data, by, nameOf }: Omit<FiguresTableProps, 'period'>) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const save = () => {
    const columns = figuresOf(data);
    const header = [
      t(`analytics:dimension.${by}`),
      ...columns.map((name) => t(`analytics:figure.${name}`)),
    ];
    const lines = data.data.map((row) => [
      nameOf(row),
      ...columns.map((name) => valueOf(row.figures, name)),
    ]);
    saveText('analytics.csv', csvText([header, ...lines], locale), 'text/csv;charset=utf-8');
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={save}>
      CSV
    </Button>
  );
}
