import {
  BILLING_STATUSES,
  type ReportColumn,
  type ReportPreset,
  type ReportSource,
  REPORT_PRESETS,
  isDetailed,
} from '@heliograph/contract';
import {
  reportValue,
  SENDING_TYPES,
  STATUS_CODES,
  typeCode,
  type Locale,
  type StoredStatus,
} from '@heliograph/domain';
import { isCoveredSql, isRestSql } from '../billings/billings.service.ts';
import { CURRENT_STATUS, PAUSED_CODE } from '../sendings/sendings.service.ts';
import { labelSql, literal } from './literals.ts';

/** The SQL of a preset: columns in their order, before they are formatted for a file. */
export interface PresetSql {
  columns: { name: ReportColumn; sql: string }[];
  from: string;
  order: string;
}

interface SourceSql {
  table: string;
  /** Columns of one row. In a grouped report they are the keys of its groups. */
  values: Partial<Record<ReportColumn, string>>;
  /** Columns of a group. */
  totals: Partial<Record<ReportColumn, string>>;
}

const TYPES: string[] = [];
for (const type of SENDING_TYPES) TYPES[typeCode(type) - 1] = type;

const statusLabels = (locale: Locale): string[] => {
  const labels: string[] = [];
  for (const [name, code] of Object.entries(STATUS_CODES))
    labels[code] = reportValue(locale, `status.${name as StoredStatus}`);
  labels[PAUSED_CODE] = reportValue(locale, 'status.paused');
  return labels;
};
const MANUAL = ['accrual', 'subtract', 'transfer'] as const;

/** Columns that come from other tables. Grouped reports join them after the rows are summed up. */
const JOINS: Partial<Record<ReportColumn, { join: string; value: string; key: string }>> = {
  account: {
    join: 'left join users u on u.id = x.account',
    value: 'u.username',
    key: 'owner_id',
  },
  task: { join: 'left join tasks t on t.id = x.task', value: 't.title', key: 'group_id' },
  tariff: { join: 'left join tariffs t on t.id = x.tariff', value: 't.title', key: 'tariff_id' },
};

/** A row of `report_operators` for the phone of a sending, a temporary table that the report fills. */
const OPERATOR_JOIN = `left join lateral (
  select o.* from report_operators o where o.start <= rpad(ltrim(s.phone, '+'), 15, '0') order by o.start desc limit 1
) o on s.phone like '+%'`;
const OPERATOR_COLUMNS = new Set<ReportColumn>(['operator', 'country', 'mccmnc']);

const time = (alias: string) => `uuid_extract_timestamp(${alias}.id)`;
const periods = (alias: string) => ({
  createdAt: time(alias),
  day: `${time(alias)}::date`,
  month: `to_char(${time(alias)}::timestamp, 'YYYY-MM')`,
});

const { delivered, failed } = STATUS_CODES;
const isDelivered = `x.state in (${delivered}, ${STATUS_CODES.seen})`;

const titleOf = (id: string) => `select p.title from message_packages p where p.id = ${id}`;

function sendingsSql(locale: Locale): SourceSql {
  const status = labelSql(statusLabels(locale), `${CURRENT_STATUS} + 1`);
  return {
    table: 'sendings s',
    values: {
      ...periods('s'),
      type: labelSql(TYPES, 's.type'),
      sender: 's.sender',
      recipient: 's.phone',
      text: 's.body',
      segments: 's.segments',
      status,
      error: 's.error',
      amount: 's.amount',
      package: `case when s.amount = 0 then (${titleOf('(select l.package_id from billings l where l.id = s.id)')}) end`,
      deliveredAt: 's.delivered_at',
      operator: 'o.name',
      country: 'o.country',
      mccmnc: 'o.mccmnc',
      channel: '(select b.channel from batches b where b.id = s.batch_id)',
      carrierCode: 's.carrier_code',
      carrierText: 's.carrier_text',
      seconds: `case when s.type = ${typeCode('voice')} then (select c.seconds from call_charges c where c.sending_id = s.id) end`,
    },
    totals: {
      messages: 'count(*)',
      segments: 'sum(x.segments::bigint)',
      delivered: `count(*) filter (where ${isDelivered})`,
      failed: `count(*) filter (where x.state = ${failed})`,
      pending: `count(*) filter (where not ${isDelivered} and x.state <> ${failed})`,
      amount: 'sum(x.amount)',
      covered: 'count(*) filter (where x.is_covered)',
    },
  };
}

const statusCode = (name: (typeof BILLING_STATUSES)[number]) => BILLING_STATUSES.indexOf(name);
const isComplete = `x.state = ${statusCode('complete')}`;

function billingsSql(locale: Locale): SourceSql {
  const statuses = BILLING_STATUSES.map((name) => reportValue(locale, `billing.${name}`));
  const manual = MANUAL.map((name) => reportValue(locale, `source.${name}`));
  const sum = (sign: '' | '-', condition: string) =>
    `coalesce(sum(${sign}x.amount) filter (where ${condition}), 0)`;
  const rest = literal(reportValue(locale, 'source.call'));
  return {
    table: 'billings b',
    values: {
      ...periods('b'),
      id: 'b.id',
      source: `case when b.source > 0 then ${labelSql(TYPES, 'b.source')} when ${isRestSql('b')} then ${rest} else ${labelSql(manual, '-b.source')} end`,
      status: labelSql(statuses, 'b.status + 1'),
      price: `array_to_string(b.price, ' + ')`,
      multiplier: 'b.multiplier',
      amount: 'b.amount',
      package: `(${titleOf('b.package_id')})`,
      refundedAt: 'b.refunded_at',
    },
    totals: {
      entries: 'count(*)',
      multiplier: 'sum(x.multiplier::bigint)',
      amount: 'sum(x.amount)',
      charged: sum('-', `(x.code > 0 or x.is_rest) and ${isComplete}`),
      refunded: `coalesce(sum(abs(x.amount)) filter (where x.state = ${statusCode('refunded')} or x.is_rest), 0)`,
      credited: sum('', `x.code < 0 and x.amount > 0 and not x.is_rest and ${isComplete}`),
      debited: sum('-', `x.code < 0 and x.amount < 0 and ${isComplete}`),
      total: sum('', isComplete),
      covered: 'count(*) filter (where x.is_covered)',
    },
  };
}

const SOURCES: Record<ReportSource, (locale: Locale) => SourceSql> = {
  sendings: sendingsSql,
  billings: billingsSql,
};
/** What the totals of a source read of each row. */
const INPUTS: Record<ReportSource, string[]> = {
  sendings: [
    's.segments',
    's.amount',
    `${CURRENT_STATUS} as state`,
    // Most messages have a price, so that their entries are not read.
    `case when s.amount = 0 then (select ${isCoveredSql('l')} from billings l where l.id = s.id) end as is_covered`,
  ],
  billings: [
    'b.multiplier',
    'b.amount',
    'b.source as code',
    'b.status as state',
    `${isRestSql('b')} as is_rest`,
    `${isCoveredSql('b')} as is_covered`,
  ],
};

export const usesOperators = (preset: ReportPreset): boolean =>
  REPORT_PRESETS[preset].columns.some((column) => OPERATOR_COLUMNS.has(column));

/** The select of a preset over the rows that meet the conditions. */
export function presetSql(
  preset: ReportPreset,
  conditions: string[],
  locale: Locale,
  limit?: number,
): PresetSql {
  const { source, columns } = REPORT_PRESETS[preset] as {
    source: ReportSource;
    columns: readonly ReportColumn[];
  };
  const sql = SOURCES[source](locale);
  const alias = sql.table.split(' ')[1]!;
  const where = conditions.map((condition) => `(${condition})`).join(' and ');
  const operators = usesOperators(preset) ? OPERATOR_JOIN : '';
  const joined = columns.flatMap((name) => (JOINS[name] ? [{ name, ...JOINS[name] }] : []));
  if (isDetailed(preset)) {
    const joins = joined.map(({ join, key, name }) => join.replace(`x.${name}`, `${alias}.${key}`));
    return {
      columns: columns.map((name) => ({ name, sql: JOINS[name]?.value ?? sql.values[name]! })),
      from: [sql.table, operators, ...joins, `where ${where}`].join(' '),
      order: `${alias}.id`,
    };
  }
  const keys = columns.filter((name) => !(name in sql.totals));
  const keySql = (name: ReportColumn) =>
    JOINS[name] ? `${alias}.${JOINS[name].key}` : sql.values[name]!;
  const rows = [...INPUTS[source], ...keys.map((name) => `${keySql(name)} as "${name}"`)].join(
    ', ',
  );
  const totals = columns.filter((name) => name in sql.totals);
  const groups = `select ${[...keys.map((name) => `x."${name}"`), ...totals.map((name) => `${sql.totals[name]} as "${name}"`)].join(', ')}
    from (select ${rows} from ${sql.table} ${operators} where ${where}) x group by ${keys.map((_, i) => i + 1).join(', ')}`;
  return {
    columns: columns.map((name) => ({ name, sql: JOINS[name]?.value ?? `x."${name}"` })),
    from: `(${groups}) x ${joined.map(({ join }) => join).join(' ')}`,
    order: `${columns.map((_, i) => i + 1).join(', ')}${limit ? ` limit ${limit}` : ''}`,
  };
}
