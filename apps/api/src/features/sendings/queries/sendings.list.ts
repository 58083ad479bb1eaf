import type { Range, sendings, Status } from '@heliograph/contract';
import {
  BATCH_STAGES,
  normalizeEmail,
  normalizePhone,
  outcomeCode,
  STATUS_CODES,
  statusCode,
  typeCode,
  type StoredStatus,
} from '@heliograph/domain';
import type { AccessScope } from '../../../core/auth/actor.ts';
import { isTestSql } from '../../../core/auth/test-tokens.ts';
import { byOwner } from '../../../core/db/by-owner.ts';
import {
  after,
  conditions,
  contains,
  equals,
  idTime,
  type Bind,
  type ListSql,
} from '../../../core/db/find-page.ts';
import { phonePrefix } from '../../../core/db/search.ts';
import type { In } from '../../../core/http/endpoint.ts';
import { countryCodes } from '../pricing/operators.ts';

export type Query = In<typeof sendings.find>['query'];

const { leased } = BATCH_STAGES;
const { delivered } = STATUS_CODES;

/** Filters with the same condition in every part of the list. */
type PartQuery = Omit<Query, 'filter'> & {
  filter: Omit<Query['filter'], 'status' | 'OwnerId'>;
};

export const LIST: ListSql<PartQuery> = {
  order: { createdAt: 's.id', updatedAt: 's.updated_at' },
  cursor: 's.id',
  filter: {
    type: (types, bind) => equals('s.type')(types.map(typeCode), bind),
    // Ids of a group are close together: its first and last id limit the scan of the owner's sendings.
    groupId: (id, bind) => {
      const group = bind(id);
      return `(s.group_id = ${group} and s.id >= (select first_id from batches where task_id = ${group} order by first_id limit 1)
               and s.id <= (select last_id from batches where task_id = ${group} order by last_id desc limit 1))`;
    },
    chainId: (id, bind) => {
      const chain = bind(id);
      return `(s.id = ${chain} or s.chain_id = ${chain})`;
    },
    clicked: (clicked) =>
      clicked
        ? `exists (select from link_clicks k where k.sending_id = s.id)`
        : `s.chain_id is null and exists (select from click_tasks k where k.task_id = s.group_id)
           and not exists (select from link_clicks k where k.sending_id = s.id)`,
    // The outcome of a recipient is stored on the first attempt.
    outcome: (outcomes, bind) => {
      const ends = outcomes.filter((outcome) => outcome !== 'pending').map(outcomeCode);
      const any = [
        ...(ends.length ? [equals('s.outcome')(ends, bind)] : []),
        ...(outcomes.includes('pending') ? ['s.outcome is null'] : []),
      ];
      return `s.chain_id is null and (${any.join(' or ')})`;
    },
    recipient: addressSql,
    mccmnc: equals('s.mccmnc'),
    country: (country, bind) => `left(s.mccmnc, 3) = any(${bind(countryCodes(country))})`,
    sender: equals('s.sender'),
    TokenId: equals('s.token_id'),
    live: (live) => `${live ? 'not ' : ''}${isTestSql('s.token_id')}`,
    id: equals('s.id'),
  },
  range: {
    createdAt: idTime('s.id'),
    updatedAt: {
      $gt: (at, bind) => `s.updated_at > ${bind(at)}`,
      $lt: (at, bind) => `s.updated_at < ${bind(at)}`,
    },
  },
  search: (text, bind, country) => {
    if (/^[+\d\s()-]{4,}$/.test(text)) return phoneSql(text, bind, country);
    const body = contains('s.body')(text, bind);
    return normalizeEmail(text) ? `(${emailSql(text, bind)} or ${body})` : body;
  },
};

function addressSql(text: string, bind: Bind, country: string): string {
  const isPhone = !text.includes('@') && (normalizePhone(text, country) || !/\p{L}/u.test(text));
  return isPhone ? phoneSql(text, bind, country) : emailSql(text, bind);
}

/** A complete e-mail by equality, a part by prefix. */
function emailSql(text: string, bind: Bind): string {
  const email = normalizeEmail(text);
  if (email) return `s.phone = ${bind(email)}`;
  const start = text.trim().toLowerCase();
  return `(s.phone >= ${bind(start)} and s.phone < ${bind(`${start}\u{10ffff}`)})`;
}

/** A complete phone by equality, a part by prefix; four digits or more without a plus may also be a suffix. */
function phoneSql(text: string, bind: Bind, country: string): string {
  const phone = normalizePhone(text, country);
  if (phone) return `s.phone = ${bind(phone)}`;
  const digits = text.replace(/[^\d]/g, '');
  if (!digits) return `s.phone = ${bind(text)}`;
  const prefix = phonePrefix('s.phone', text, bind);
  if (digits.length < 4 || text.trim().startsWith('+')) return prefix;
  const suffix = `right(s.phone, 4) = ${bind(digits.slice(-4))} and s.phone like ${bind(`%${digits}`)}`;
  return `(${prefix} or (${suffix}))`;
}

/** Final statuses are stored on the row. `failed_at` and `seen_at` are set exactly in their status and have an index. */
const FINAL_SQL: Partial<Record<Status, string>> = {
  failed: 's.failed_at is not null',
  delivered: `s.status = ${delivered}`,
  seen: 's.seen_at is not null',
};

/** Conditions on open batches and on their sendings, for a status that is derived from the batch. */
interface OpenConditions {
  batch: string;
  row: string;
}

const ANY_OPEN: OpenConditions = {
  batch: 'true',
  row: `(s.status is null or s.status < ${delivered})`,
};

function openConditions(status: Status): OpenConditions {
  const paused = `(s.status is null and b.stage <= ${leased} and coalesce((select t.state = 'paused' from tasks t where t.id = b.task_id), false))`;
  const now = (name: StoredStatus) =>
    `coalesce(s.status, stage_status(b.stage)) = ${statusCode(name)}`;
  switch (status) {
    case 'paused':
      return { batch: `b.stage <= ${leased}`, row: paused };
    case 'pending':
      return { batch: `b.stage <= ${leased}`, row: `${now('pending')} and not ${paused}` };
    default:
      // A batch that was never submitted has no reports.
      return { batch: `(b.stage > ${leased} or b.tries > 0)`, row: now(status as StoredStatus) };
  }
}

/** A status as the view says it. */
function statusNow(name: Status): string {
  if (FINAL_SQL[name]) return FINAL_SQL[name];
  if (name === 'paused') return 's.is_paused';
  return `s.now_status = ${statusCode(name as StoredStatus)} and not s.is_paused`;
}

/** The change of a row itself. It has an index. */
const ROW_CHANGED =
  'coalesce(s.changed_at, greatest(s.sent_at, s.delivered_at, s.seen_at, s.failed_at))';

/**
 * Ids in the order of changes, along the indexes of the times of changes: of rows, and of batches, whose rows change with them. What it
 * costs is what changed in the range, not what there is.
 */
export function changedIdsSql(
  scope: AccessScope,
  query: Query,
  changed: Required<Range>,
  country: string,
  bind: Bind,
  take: string,
  isPage: boolean,
): string {
  const { status, OwnerId, ...others } = query.filter;
  const range = { ...query.range, updatedAt: changed };
  const [begin, end] = [bind(after(changed.$gt)), bind(changed.$lt)];
  const during = (time: string) => `${time} >= ${begin} and ${time} < ${end}`;
  const within = (column: string) =>
    byOwner({ scope, OwnerId, column, along: 'rows' }, bind, (condition) => condition);
  const rows = [
    ...conditions(LIST, { ...query, filter: others, range }, bind, country),
    ...(status ? [[...new Set(status)].map((name) => `(${statusNow(name)})`).join(' or ')] : []),
    within('s.owner_id'),
  ];
  // A page has all that changed in its last millisecond: the next one begins after it.
  const page = isPage
    ? `order by s.updated_at fetch first (${take}) rows with ties`
    : `limit ${take}`;
  const select = (...more: string[]) =>
    `select s.id, s.updated_at from sendings_now s where ${[...more, ...rows].map((c) => `(${c})`).join(' and ')} ${page}`;
  const ofRows = select(during(ROW_CHANGED));
  const ofBatches = select(
    's.id between b.first_id and b.last_id and s.batch_id = b.id',
    `(${ROW_CHANGED} >= ${begin}) is not true`,
  );
  return `(${ofRows}) union all
    (select s.* from (select * from batches b where ${during('b.updated_at')} and (b.owner_id is null or ${within('b.owner_id')})) b
      cross join lateral (${ofBatches}) s)`;
}

/**
 * Ids of a list. Every part (each final status, open batches, each owner) is read along its own index and limited to `take`,
 * then the parts are merged: a filter without matches costs an index lookup, not a scan.
 */
export function idsSql(
  scope: AccessScope,
  query: Query,
  country: string,
  bind: Bind,
  take: string,
  isPage: boolean,
): string {
  const { direction } = query.order[0]!;
  const { status, OwnerId, ...others } = query.filter;
  const rows = conditions(LIST, { ...query, filter: others }, bind, country);
  // The time of the last change may be that of the batch, which the view includes.
  const table = query.range.updatedAt ? 'sendings_now' : 'sendings';
  const isByPhone = others.recipient ?? query.search;
  const isFew = others.groupId || others.chainId || others.id;
  const isUsual = scope.kind === 'all' && !others.type && !isByPhone;
  // A phone index is not in the order of ids: rows that are only counted are not sorted.
  const order = isPage || !isByPhone ? `order by s.id ${direction} ` : '';
  const select = (conditions: string[]) =>
    `select s.id from ${table} s where ${conditions.map((c) => `(${c})`).join(' and ')} ${order}limit ${take}`;

  const finalPart = (condition: string) => {
    const isCommon = isUsual && (condition === 'true' || condition === FINAL_SQL.delivered);
    const along = isFew || isCommon ? 'rows' : 'owners';
    return byOwner({ scope, OwnerId, column: 's.owner_id', along }, bind, (within) =>
      select([within, ...rows, condition]),
    );
  };
  const openPart = ({ batch, row }: OpenConditions) => {
    const within = (column: string) =>
      byOwner({ scope, OwnerId, column, along: 'rows' }, bind, (condition) => condition);
    const open = (owner: string) =>
      `select * from batches b where b.closed_at is null and ${owner} and ${batch}`;
    const inBatch = 's.id between b.first_id and b.last_id and s.batch_id = b.id';
    return `select s.* from (${open(`b.owner_id is not null and ${within('b.owner_id')}`)} union all ${open('b.owner_id is null')}) b
      cross join lateral (${select([inBatch, within('s.owner_id'), row, ...rows])}) s`;
  };
  // The first attempt of an unreached recipient has failed, or is open while another attempt decided.
  const isUnreached = others.outcome && !others.outcome.includes('delivered');
  const parts = status
    ? [...new Set(status)].map((name) =>
        FINAL_SQL[name] ? finalPart(FINAL_SQL[name]) : openPart(openConditions(name)),
      )
    : isUnreached
      ? [finalPart(FINAL_SQL.failed!), openPart(ANY_OPEN)]
      : [finalPart('true')];
  return parts.map((sql) => `(${sql})`).join(' union all ');
}
