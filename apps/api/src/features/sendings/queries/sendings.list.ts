import type { sendings, Status } from '@heliograph/contract';
import {
  normalizeEmail,
  normalizePhone,
  outcomeCode,
  statusCode,
  typeCode,
  type StoredStatus,
} from '@heliograph/domain';
import type { AccessScope } from '../../../core/auth/actor.ts';
import { byOwner } from '../../../core/db/by-owner.ts';
import {
  conditions,
  equals,
  idTime,
  like,
  type Bind,
  type ListSql,
} from '../../../core/db/find-page.ts';
import type { In } from '../../../core/http/endpoint.ts';

export type Query = In<typeof sendings.find>['query'];

/** What is the same condition in every part of a list. */
type Plain = Omit<Query, 'filter'> & {
  filter: Omit<Query['filter'], 'status' | 'OwnerId'>;
};

const LIST: ListSql<Plain> = {
  order: { createdAt: 's.id' },
  cursor: 's.id',
  filter: {
    type: (types, bind) => equals('s.type')(types.map(typeCode), bind),
    // A group lies together in time: its own bounds keep the walk along its owner's sendings short.
    groupId: (id, bind) => {
      const group = bind(id);
      return `(s.group_id = ${group} and s.id >= (select first_id from batches where task_id = ${group} order by first_id limit 1)
               and s.id <= (select last_id from batches where task_id = ${group} order by last_id desc limit 1))`;
    },
    chainId: (id, bind) => {
      const chain = bind(id);
      return `(s.id = ${chain} or s.chain_id = ${chain})`;
    },
    // Recipients: an outcome stands on the first attempt.
    outcome: (outcomes, bind) => {
      const ends = outcomes.filter((outcome) => outcome !== 'pending').map(outcomeCode);
      const any = [
        ...(ends.length ? [equals('s.outcome')(ends, bind)] : []),
        ...(outcomes.includes('pending') ? ['s.outcome is null'] : []),
      ];
      return `s.chain_id is null and (${any.join(' or ')})`;
    },
    recipient: addressSql,
    id: equals('s.id'),
  },
  range: {
    createdAt: idTime('s.id'),
    updatedAt: {
      $gt: (at, bind) => `s.updated_at > ${bind(at)}`,
      // What changed before a moment was made before it.
      $lt: (at, bind) => `s.updated_at < ${bind(at)} and ${idTime('s.id').$lt(at, bind)}`,
    },
  },
  search: (text, bind, country) => {
    if (/^[+\d\s()-]{4,}$/.test(text)) return phoneSql(text, bind, country);
    const body = `s.body ilike ${bind(like(text))}`;
    return normalizeEmail(text) ? `(${emailSql(text, bind)} or ${body})` : body;
  },
};

function addressSql(text: string, bind: Bind, country: string): string {
  const isPhone = !text.includes('@') && (normalizePhone(text, country) || !/\p{L}/u.test(text));
  return isPhone ? phoneSql(text, bind, country) : emailSql(text, bind);
}

/** A whole e-mail by equality, its beginning by prefix. */
function emailSql(text: string, bind: Bind): string {
  const email = normalizeEmail(text);
  if (email) return `s.phone = ${bind(email)}`;
  const start = text.trim().toLowerCase();
  return `(s.phone >= ${bind(start)} and s.phone < ${bind(`${start}\u{10ffff}`)})`;
}

/** A whole phone by equality, its beginning by prefix; four digits or more without a plus may also be its end. */
function phoneSql(text: string, bind: Bind, country: string): string {
  const phone = normalizePhone(text, country);
  if (phone) return `s.phone = ${bind(phone)}`;
  const digits = text.replace(/[^\d]/g, '');
  if (!digits) return `s.phone = ${bind(text)}`;
  const begins = between('s.phone', `+${digits}`, bind);
  if (digits.length < 4 || text.trim().startsWith('+')) return begins;
  const ends = `right(s.phone, 4) = ${bind(digits.slice(-4))} and s.phone like ${bind(`%${digits}`)}`;
  return `(${begins} or (${ends}))`;
}

/** Texts of digits that begin with others: a colon follows 9. */
function between(column: string, start: string, bind: Bind): string {
  return `(${column} >= ${bind(start)} and ${column} < ${bind(`${start}:`)})`;
}

/** Ends stand on the row. A time of failure or of being seen is there as long as that is the status, and has an index. */
const ENDS: Partial<Record<Status, string>> = {
  failed: 's.failed_at is not null',
  delivered: 's.status = 3',
  seen: 's.seen_at is not null',
};

/** Which of the open batches may hold what is asked for, and which of their sendings are it. */
interface Carried {
  batch: string;
  row: string;
}

const ANY_OPEN: Carried = { batch: 'true', row: '(s.status is null or s.status < 3)' };

/** A status that a batch tells. */
function carried(status: Status): Carried {
  const paused = `(s.status is null and b.stage <= 1 and coalesce((select t.state = 'paused' from tasks t where t.id = b.task_id), false))`;
  const now = (name: StoredStatus) =>
    `coalesce(s.status, stage_status(b.stage)) = ${statusCode(name)}`;
  switch (status) {
    case 'paused':
      return { batch: 'b.stage <= 1', row: paused };
    case 'pending':
      return { batch: 'b.stage <= 1', row: `${now('pending')} and not ${paused}` };
    default:
      // Of what was never with a carrier nothing can be ahead of its batch.
      return { batch: '(b.stage > 1 or b.tries > 0)', row: now(status as StoredStatus) };
  }
}

/**
 * Ids of a list. Every part (the ends that were asked for, what is on its way, each owner) is read along its own index
 * and only as far as `take` goes, then merged: a filter without a hit costs a look into an index, not a walk.
 */
export function idsSql(
  scope: AccessScope,
  query: Query,
  country: string,
  bind: Bind,
  take: string,
  isPage: boolean,
): string {
  const direction = query.order[0]!.direction;
  const { status, OwnerId, ...others } = query.filter;
  const rows = conditions(LIST, { ...query, filter: others }, bind, country);
  // What was last changed is told by the batch too.
  const table = query.range.updatedAt ? 'sendings_now' : 'sendings';
  const isByPhone = others.recipient ?? query.search;
  const isFew = others.groupId || others.chainId || others.id;
  const isUsual = scope.kind === 'all' && !others.type && !isByPhone;
  // Phones are not in the order of ids: as many as are counted are read as they come.
  const order = isPage || !isByPhone ? `order by s.id ${direction} ` : '';
  const select = (conditions: string[]) =>
    `select s.id from ${table} s where ${conditions.map((c) => `(${c})`).join(' and ')} ${order}limit ${take}`;

  const ended = (condition: string) => {
    const isCommon = isUsual && (condition === 'true' || condition === ENDS.delivered);
    const along = isFew || isCommon ? 'rows' : 'owners';
    return byOwner({ scope, OwnerId, column: 's.owner_id', along }, bind, (within) =>
      select([within, ...rows, condition]),
    );
  };
  const onTheWay = ({ batch, row }: Carried) => {
    const within = (column: string) =>
      byOwner({ scope, OwnerId, column, along: 'rows' }, bind, (condition) => condition);
    const open = (owner: string) =>
      `select * from batches b where b.closed_at is null and ${owner} and ${batch}`;
    const its = 's.id between b.first_id and b.last_id and s.batch_id = b.id';
    return `select s.id from (${open(`b.owner_id is not null and ${within('b.owner_id')}`)} union all ${open('b.owner_id is null')}) b
      cross join lateral (${select([its, within('s.owner_id'), row, ...rows])}) s`;
  };
  // Who was not reached has a first attempt that failed, or is on its way while another attempt decided.
  const isUnreached = others.outcome && !others.outcome.includes('delivered');
  const parts = status
    ? [...new Set(status)].map((name) => (ENDS[name] ? ended(ENDS[name]) : onTheWay(carried(name))))
    : isUnreached
      ? [ended(ENDS.failed!), onTheWay(ANY_OPEN)]
      : [ended('true')];
  return parts.map((sql) => `(${sql})`).join(' union all ');
}
