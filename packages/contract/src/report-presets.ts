import type { ReportHeader } from '@heliograph/domain';
import type { Permission, Preset } from './permissions.ts';

/** How a column is written: times in the zone of the report, money with the decimal sign of its language. */
export type ReportColumnType = 'text' | 'number' | 'money' | 'time' | 'day' | 'phone';

/** The columns of all reports. */
export const REPORT_COLUMNS = {
  id: 'text',
  createdAt: 'time',
  deliveredAt: 'time',
  refundedAt: 'time',
  day: 'day',
  month: 'text',
  account: 'text',
  type: 'text',
  source: 'text',
  status: 'text',
  sender: 'text',
  recipient: 'phone',
  text: 'text',
  segments: 'number',
  error: 'text',
  operator: 'text',
  country: 'text',
  mccmnc: 'text',
  task: 'text',
  tariff: 'text',
  price: 'text',
  multiplier: 'number',
  amount: 'money',
  entries: 'number',
  messages: 'number',
  delivered: 'number',
  failed: 'number',
  pending: 'number',
  charged: 'money',
  refunded: 'money',
  credited: 'money',
  debited: 'money',
  total: 'money',
  channel: 'text',
  carrierCode: 'text',
  carrierText: 'text',
  package: 'text',
  covered: 'number',
  seconds: 'number',
} as const satisfies Record<ReportHeader, ReportColumnType>;
export type ReportColumn = keyof typeof REPORT_COLUMNS;

export type ReportSource = 'billings' | 'sendings';

export interface ReportPresetDefinition {
  source: ReportSource;
  columns: readonly ReportColumn[];
  /** Of the rows that it reads; `reports.create` is needed in addition. */
  can: Permission;
  /** The levels that may make it. */
  accept: Preset;
}

const LEDGER = ['entries', 'charged', 'refunded', 'credited', 'debited', 'total'] as const;
const MESSAGES = ['messages', 'segments', 'delivered', 'failed', 'pending', 'amount'] as const;

/** What prepaid packages cover, and later columns, stand at the end: readers of files may count columns. */
const withPackages = (columns: ReportColumn[]): ReportColumn[] => [
  ...columns,
  columns.includes('createdAt') ? 'package' : 'covered',
];

const billings = (columns: ReportColumn[], accept: Preset = 'meUp'): ReportPresetDefinition => ({
  source: 'billings',
  columns: withPackages(columns),
  can: 'billings.find',
  accept,
});
const sendings = (columns: ReportColumn[], accept: Preset = 'meUp'): ReportPresetDefinition => ({
  source: 'sendings',
  columns: [
    ...withPackages(columns),
    ...(columns.includes('createdAt') ? (['seconds'] as const) : []),
  ],
  can: 'sendings.get',
  accept,
});

const ENTRY: ReportColumn[] = [
  'createdAt',
  'id',
  'source',
  'status',
  'tariff',
  'price',
  'multiplier',
  'amount',
  'refundedAt',
];
const MESSAGE: ReportColumn[] = [
  'createdAt',
  'type',
  'sender',
  'recipient',
  'text',
  'segments',
  'status',
  'error',
  'amount',
  'deliveredAt',
];

/** The reports. Those whose name contains `details` have a row for each entry or message, the others a row for each group. */
export const REPORT_PRESETS = {
  'billings.byDay': billings(['day', ...LEDGER]),
  'billings.byMonth': billings(['month', ...LEDGER]),
  'billings.bySource': billings(['source', ...LEDGER]),
  'billings.byDayAndSource': billings(['day', 'source', ...LEDGER]),
  'billings.byStatus': billings(['status', 'source', 'entries', 'amount']),
  'billings.byTariff': billings(['tariff', 'source', 'price', 'entries', 'multiplier', 'amount']),
  'billings.byAccount': billings(['account', ...LEDGER], 'resellerUp'),
  'billings.details': billings(ENTRY),
  'billings.detailsByAccount': billings(['account', ...ENTRY], 'resellerUp'),
  'sendings.byDay': sendings(['day', ...MESSAGES]),
  'sendings.byMonth': sendings(['month', ...MESSAGES]),
  'sendings.byType': sendings(['type', ...MESSAGES]),
  'sendings.bySender': sendings(['sender', 'type', ...MESSAGES]),
  'sendings.byStatus': sendings(['status', 'type', 'messages', 'segments', 'amount']),
  'sendings.byError': sendings(['error', 'type', 'messages', 'amount']),
  'sendings.byOperator': sendings(['country', 'operator', 'mccmnc', ...MESSAGES]),
  'sendings.byCountry': sendings(['country', ...MESSAGES]),
  'sendings.byTask': sendings(['task', 'type', ...MESSAGES]),
  'sendings.byAccount': sendings(['account', ...MESSAGES], 'resellerUp'),
  'sendings.details': sendings(MESSAGE),
  'sendings.detailsWithOperator': sendings([...MESSAGE, 'country', 'operator', 'mccmnc']),
  'sendings.detailsByAccount': sendings(['account', ...MESSAGE], 'resellerUp'),
  'sendings.detailsByCarrier': sendings(
    ['account', 'channel', ...MESSAGE, 'carrierCode', 'carrierText'],
    'managerUp',
  ),
  'sendings.byCarrierCode': sendings(
    ['channel', 'carrierCode', 'error', 'type', 'messages', 'amount'],
    'managerUp',
  ),
} as const satisfies Record<string, ReportPresetDefinition>;
export type ReportPreset = keyof typeof REPORT_PRESETS;
export const REPORT_PRESET_NAMES = Object.keys(REPORT_PRESETS) as [ReportPreset, ...ReportPreset[]];

/** Names that earlier clients send. */
export const REPORT_PRESET_ALIASES: Record<string, ReportPreset> = {
  'billings.group001': 'billings.byDayAndSource',
};

/** Whether a report has a row for each entry or message. */
export const isDetailed = (preset: ReportPreset): boolean => preset.includes('details');
