import type { Level, LookupFacts, Sending, Task } from '@heliograph/contract';
import {
  BATCH_STAGES,
  countSegments,
  DEFAULT_GROUP,
  findOperator,
  outcomeOf,
  SENDING_ERRORS,
  statusOf,
  typeOf,
  type MessageParts,
  type NumberLookup,
  type SendingErrorCode,
  type Status,
  type TrafficGroup,
  type VolumeStep,
} from '@heliograph/domain';
import type { WithOwner } from '../../../core/auth/owners.ts';
import { isTestSql } from '../../../core/auth/test-tokens.ts';
import {
  BILLING_STATUS_CODES,
  callSql,
  volumeStepSql,
  type CallChargeRow,
} from '../../billings/billings.service.ts';
import { operatorByCode, operators } from '../pricing/operators.ts';
import { cancellableSql } from '../cancellable.ts';
import type { StoredSending } from '../plan.ts';

/** A row of the view `sendings_now` with its ledger entry. */
export interface SendingRow {
  id: string;
  OwnerId: string;
  chain: string;
  groupId: string | null;
  taskId: string | null;
  type: number;
  attempt: number;
  sender: string;
  phone: string;
  body: string | null;
  segments: number;
  status: number;
  /** Of its chain. */
  outcome: number | null;
  isPaused: boolean;
  error: string | null;
  carrierCode: string | null;
  carrierText: string | null;
  data: {
    payload?: Sending['payload'];
    /** Its fields with the recipient's values. */
    parts?: MessageParts;
    callbackData?: string;
    options?: Sending['options'];
    group?: TrafficGroup;
    lookup?: NumberLookup;
  } | null;
  plan: StoredSending | null;
  amount: string;
  billingStatus: number | null;
  price: number[] | null;
  multiplier: number | null;
  /** Title of the package that covers it. */
  package: string | null;
  /** That its price has. */
  volumeStep: VolumeStep | null;
  /** Of a call that is charged by its length. */
  call: CallChargeRow | null;
  refundedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  submittedAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  seenAt: Date | null;
  failedAt: Date | null;
  stage: number;
  dueAt: Date | null;
  cancellable: boolean;
  isTest: boolean;
}

export const SENDING_COLUMNS = `
  s.id, s.chain, s.owner_id as "OwnerId", s.group_id as "groupId", s.task_id as "taskId", s.type, s.attempt, s.sender, s.phone, s.body,
  s.segments, s.now_status as status, s.now_outcome as outcome, s.is_paused as "isPaused", s.error, s.carrier_code as "carrierCode", s.carrier_text as "carrierText", s.data, s.plan, s.amount::text as amount,
  l.status as "billingStatus", l.price::float8[] as price, l.multiplier, l.refunded_at as "refundedAt", (select p.title from message_packages p where p.id = l.package_id) as package, ${volumeStepSql('l')} as "volumeStep", ${callSql('l')} as call, s.created_at as "createdAt", s.updated_at as "updatedAt",
  s.submitted_at as "submittedAt", s.sent_at as "sentAt", s.delivered_at as "deliveredAt", s.seen_at as "seenAt", s.failed_at as "failedAt", s.stage, b.due_at as "dueAt", coalesce(${cancellableSql('b')}, false) as cancellable,
  ${isTestSql('s.token_id')} as "isTest"`;
export const SENDING_JOINS = `left join billings l on l.id = s.id
  left join batches b on b.id = s.batch_id and b.stage = ${BATCH_STAGES.pending} and s.status is null`;

/** As stored in the sending's task. */
export type TaskRecipients = NonNullable<Task['data']['recipients']>;

/** `recipients` are included when a single sending is requested; null when it has no task. */
export interface FullScope {
  recipients?: TaskRecipients | null;
}

export function presentSending(
  row: WithOwner<SendingRow>,
  level: Level,
  full?: FullScope,
): Sending {
  const { text, ...rest } = payloadOf(row);
  const status = statusOfRow(row);
  const type = typeOf(row.type);
  const { characters, encoding } = statsOf(type, row.body ?? '');
  const callbackData = row.data?.callbackData ?? row.plan?.callbackData;
  const operator = row.phone.startsWith('+') ? findOperator(operators(), row.phone) : null;
  return {
    id: row.id,
    type,
    recipient: row.phone,
    payload: {
      ...rest,
      sender: row.sender,
      ...((row.body ?? text) ? { text: row.body ?? text } : {}),
      ...(full && { recipient: row.phone }),
    },
    ...(full && {
      ...presentRequest(row.plan, row.data?.options),
      ...(full.recipients !== undefined && {
        recipients: presentRecipients(full.recipients ?? row.phone),
      }),
    }),
    state: {
      status,
      outcome: outcomeOf(row.outcome),
      error: status === 'failed' ? errorText(row.error) : null,
      code: status === 'failed' ? row.error : null,
    },
    chainId: row.chain,
    groupId: row.groupId,
    attempt: row.attempt,
    live: !row.isTest,
    OwnerId: row.OwnerId,
    ...(level !== 'me' && row.Owner && { Owner: row.Owner }),
    meta: {
      billings: { ids: row.billingStatus === null ? [] : [row.id] },
      billing: billingOf(row),
      stats: { segments: row.segments, characters, encoding },
      recipientGroup: row.data?.group ?? DEFAULT_GROUP,
      operator: operator && { mcc: operator.mcc, mnc: operator.mnc, name: operator.name },
    },
    ...(row.data?.lookup && { lookup: presentLookup(row.data.lookup) }),
    ...(callbackData !== undefined && { callbackData }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    dueAt: row.dueAt?.toISOString() ?? null,
    cancellable: row.cancellable,
    sentAt: sentAt(row)?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    seenAt: row.seenAt?.toISOString() ?? null,
    failedAt: row.failedAt?.toISOString() ?? null,
  };
}

export function presentLookup({ network, origin, ported, roaming }: NumberLookup): LookupFacts {
  return {
    network: networkOf(network),
    origin: networkOf(origin),
    ported: ported ?? null,
    roaming: roaming ?? null,
  };
}

function networkOf(code: string | undefined): LookupFacts['network'] {
  if (!code) return null;
  return { mcc: code.slice(0, 3), mnc: code.slice(3), name: operatorByCode(code)?.name ?? null };
}

/** The attempts of a chain, in their order. */
export function presentAttempts(rows: SendingRow[]): Sending['attempts'] {
  return rows.map((row) => {
    const status = statusOfRow(row);
    return {
      id: row.id,
      type: typeOf(row.type),
      status,
      code: status === 'failed' ? row.error : null,
    };
  });
}

function statusOfRow(row: SendingRow): Status {
  return row.isPaused ? 'paused' : statusOf(row.status);
}

/** E-mails are not split into segments: a page may have two hundred of them with a hundred thousand characters each. */
function statsOf(
  type: Sending['type'],
  text: string,
): Pick<Sending['meta']['stats'], 'characters' | 'encoding'> {
  return type === 'email' ? { characters: text.length, encoding: 'unicode' } : countSegments(text);
}

/** The error text of a failure code. */
export function errorText(code: string | null): string {
  return SENDING_ERRORS[code as SendingErrorCode] ?? SENDING_ERRORS.unknown;
}

/** The fields of the request, without recipients. */
export function presentRequest(
  plan: StoredSending | null,
  options = plan?.options,
): Pick<Sending, 'fallbacks' | 'schedule' | 'options'> {
  return {
    fallbacks: presentFallbacks(plan?.fallbacks ?? []),
    schedule: plan?.schedule ?? { delay: 0, until: 0 },
    options: options ?? {},
  };
}

/** A task stores the first of its typed recipients only. */
export function presentRecipients(recipients: TaskRecipients | string): Sending['recipients'] {
  if (typeof recipients === 'string') return { include: [recipients], exclude: [] };
  const entries = ({ lists, recipients: typed = [] }: TaskRecipients['include']) => [
    ...lists,
    ...typed,
  ];
  return { include: entries(recipients.include), exclude: entries(recipients.exclude) };
}

/** Under both names of the options that clients read. */
function presentFallbacks(fallbacks: StoredSending['fallbacks']): Sending['fallbacks'] {
  return fallbacks.map((f) => ({ ...f, $options: f.options }));
}

function billingOf(row: SendingRow): Sending['meta']['billing'] {
  if (row.billingStatus === null) return null;
  return {
    id: row.id,
    amount: Number(row.amount),
    refunded: row.billingStatus === BILLING_STATUS_CODES.refunded,
    price: row.price?.length === 1 ? row.price[0]! : row.price,
    multiplier: row.call?.units ?? row.multiplier ?? 1,
    ...(row.package !== null && { package: row.package }),
    ...(row.volumeStep && { volumeStep: row.volumeStep }),
    ...(row.call && { call: presentCall(row.call) }),
  };
}

const presentCall = ({ first, interval, reserved, seconds }: CallChargeRow) => ({
  first,
  interval,
  reserved,
  seconds,
});

/** The attempt's payload: a single's own, or that of its plan. */
function payloadOf(row: SendingRow): Sending['payload'] {
  const { payload, parts } = row.data ?? {};
  const attempts = row.plan && [row.plan, ...row.plan.fallbacks];
  const written = payload ?? attempts?.[row.attempt]?.payload ?? { sender: row.sender };
  return parts ? { ...written, ...parts } : written;
}

export function sentAt(row: SendingRow): Date | null {
  return row.sentAt ?? (row.stage === BATCH_STAGES.submitted ? row.submittedAt : null);
}
