import type { SegmentRules } from '@heliograph/contract';
import { OUTCOME_CODES, typeCode } from '@heliograph/domain';
import { inDefaultCollation } from '../../core/db/collation.ts';
import type { Bind } from '../../core/db/find-page.ts';
import { uuidFloor } from '../../core/uuid.ts';
import { whereSql, type Reading } from '../contacts/contacts.service.ts';

/** How the conditions of a segment are read. The days of an activity end at the time of it. */
export type Membership = Reading;

const DAY_MS = 86_400_000;
const ADDRESSES = inDefaultCollation('array[c.phone, c.email]');

/** Messages of the account to the contact, of which the recipient was reached (a look-up of the number is none), messages of the contact, and its clicks, since a time. */
const EVENTS: Record<
  SegmentRules['activity'][number]['event'],
  (since: Date, bind: Bind) => string
> = {
  delivered: (since, bind) =>
    `select true from sendings s where s.phone = any(array[c.phone, c.email]) and s.id >= ${bind(uuidFloor(since))} and s.owner_id = l.owner_id
        and s.chain_id is null and s.outcome = ${OUTCOME_CODES.delivered} and s.type <> ${typeCode('hlr')}`,
  replied: (since, bind) =>
    `select true from sendings_incoming i where i.owner_id = l.owner_id and i."from" = any(${ADDRESSES}) and i.id >= ${bind(uuidFloor(since))}`,
  clicked: (since, bind) =>
    `select true from link_clicks k where k.owner_id = l.owner_id and k.address = any(${ADDRESSES}) and k.last_at >= ${bind(since)}`,
};

/**
 * Whether a contact `c` of a list `l` is a member of a segment. An activity is looked up for each contact that the other conditions
 * leave, so not by `exists`, which Postgres may turn into a hash table of all messages.
 */
export function memberSql(
  { where, activity }: SegmentRules,
  membership: Membership,
  bind: Bind,
): string[] {
  return [
    ...whereSql(where, bind, membership),
    ...activity.map(({ event, happened, days }) => {
      const since = new Date(membership.at.getTime() - days * DAY_MS);
      return `(${EVENTS[event](since, bind)} limit 1) is ${happened ? '' : 'not '}true`;
    }),
  ];
}
