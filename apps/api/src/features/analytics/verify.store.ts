import { STATUS_CODES, STOPPED } from '@heliograph/domain';
import type { Db } from '../../core/db/db.ts';
import { findProblems, type Problem } from '../../core/db/find-problems.ts';
import { BILLING_STATUS_CODES, isCoveredSql } from '../billings/billings.service.ts';
import { KEYS, TIMES } from './figures-sql.ts';

const { delivered, seen, failed } = STATUS_CODES;
const keys = KEYS.join(', ');
/** Figures that rows say at any time. When a batch was submitted may be recorded after a message of it was delivered. */
const COMPARED = [
  'messages',
  'submitted',
  'delivered',
  'seen',
  'failed',
  'cancelled',
  'charged',
  'refunded',
  'covered',
];
const zeros = (names: readonly string[]) => names.map((name) => `0 as ${name}`).join(', ');
/** Failures before a carrier had the message. */
const NOT_SUBMITTED = `array['${STOPPED}', 'superseded', 'insufficient_funds', 'spend_cap_reached', 'no_price', 'no_value', 'channel_down', 'unsubscribed']`;
const sums = (names: readonly string[]) =>
  names.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ');
const times = TIMES.join(' + ');

/** Changes have the figures of rollups; those of covered messages are in a table of their own. */
const CHANGED = `(select c.*, 0 as covered from rollup_changes c) c`;

/** Rollups with the changes that are still to be added to them; replies, opt-outs and clicks outlive their rows. */
const KEPT = `
  select ${keys}, ${sums(COMPARED)}, coalesce(sum(${times}), 0) as timed
    from (select ${keys}, ${COMPARED.join(', ')}, ${TIMES.join(', ')} from rollups
          union all select ${keys}, ${COMPARED.join(', ')}, ${TIMES.join(', ')} from ${CHANGED}
          union all select ${keys}, ${zeros(COMPARED.slice(0, -1))}, covered, ${zeros(TIMES)} from covered_changes) r
   where type > 0 group by ${keys}`;

const COUNTED = `
  select s.owner_id, quarter_of(uuid_extract_timestamp(s.id)) as at, s.type, s.mccmnc, s.sender, s.group_id as task_id, s.token_id,
         count(*) as messages,
         count(*) filter (where b.submitted_at is not null and not coalesce(s.status = ${failed} and s.error = any(${NOT_SUBMITTED}), false)) as submitted,
         count(*) filter (where s.status in (${delivered}, ${seen})) as delivered,
         count(*) filter (where s.status = ${seen}) as seen,
         count(*) filter (where s.status = ${failed} and s.error is distinct from '${STOPPED}') as failed,
         count(*) filter (where s.status = ${failed} and s.error = '${STOPPED}') as cancelled,
         sum(s.amount) as charged,
         coalesce(sum(s.amount) filter (where s.status = ${failed} or l.status = ${BILLING_STATUS_CODES.refunded}), 0) as refunded,
         count(*) filter (where ${isCoveredSql('l')}) as covered
    from sendings s join batches b on b.id = s.batch_id left join billings l on l.id = s.id
   where s.mccmnc is not null group by s.owner_id, 2, s.type, s.mccmnc, s.sender, s.group_id, s.token_id`;

const values = (table: string) =>
  COMPARED.map((name) => `coalesce(${table}.${name}, 0)`).join(', ');

const RULES: Record<string, string> = {
  'a rollup differs from its messages': `
    select coalesce(k.owner_id, c.owner_id) as id,
           format('%s type %s: (%s) instead of (%s)', coalesce(k.at, c.at), coalesce(k.type, c.type),
                  concat_ws(', ', ${values('k')}), concat_ws(', ', ${values('c')})) as detail
      from (${KEPT}) k full join (${COUNTED}) c
        on (k.owner_id, k.at, k.type, k.mccmnc, k.sender) = (c.owner_id, c.at, c.type, c.mccmnc, c.sender)
       and coalesce(k.task_id::text, '') = coalesce(c.task_id::text, '') and coalesce(k.token_id::text, '') = coalesce(c.token_id::text, '')
     where (${values('k')}) <> (${values('c')})`,
  'a rollup has more times of deliveries than deliveries': `
    select k.owner_id as id, format('%s: %s of %s', k.at, k.timed, k.delivered) as detail from (${KEPT}) k where k.timed > k.delivered`,
};

export const verifyRollups = (db: Db): Promise<Problem[]> => findProblems(db, RULES);
