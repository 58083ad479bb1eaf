import { Injectable } from '@nestjs/common';
import { Db } from '../../core/db/db.ts';

/** A reply of a rule to a person. */
export interface Claim {
  RuleId: string;
  address: string;
  minutes: number;
}

const DELETE_BATCH_SIZE = 2000;
const key = ({ RuleId, address }: Pick<Claim, 'RuleId' | 'address'>) => `${RuleId} ${address}`;
const columns = (claims: Claim[]) => [
  claims.map(({ RuleId }) => RuleId),
  claims.map(({ address }) => address),
  claims.map(({ minutes }) => minutes),
];
const COOLING = `c.claimed_at > $4::timestamptz - make_interval(mins => n.minutes)`;

/** When rules have replied to people. */
@Injectable()
export class InboundRepliesStore {
  constructor(private readonly db: Db) {}

  /** Those of different replies for which the rule has replied within its minutes. */
  async cooling(claims: Claim[], now: Date): Promise<(claim: Claim) => boolean> {
    const rows = await this.db.query<Claim>(
      `select c.rule_id as "RuleId", c.address from unnest($1::uuid[], $2::text[], $3::int[]) n(rule_id, address, minutes)
         join inbound_claims c on c.rule_id = n.rule_id and c.address = n.address and ${COOLING}`,
      [...columns(claims), now],
    );
    const keys = new Set(rows.map(key));
    return (claim) => keys.has(key(claim));
  }

  /** Claims different replies. The result tells those that may be sent: of claims at the same time one. */
  async claim(claims: Claim[], now: Date): Promise<(claim: Claim) => boolean> {
    const rows = await this.db.query<Claim>(
      `insert into inbound_claims as c (rule_id, address, claimed_at)
       select n.rule_id, n.address, $4 from unnest($1::uuid[], $2::text[], $3::int[]) n(rule_id, address, minutes)
        order by 1, 2
       on conflict (rule_id, address) do update set claimed_at = excluded.claimed_at
        where c.claimed_at <= $4::timestamptz - make_interval(mins => (select r.reply_minutes from inbound_rules r where r.id = c.rule_id))
       returning rule_id as "RuleId", address`,
      [...columns(claims), now],
    );
    const keys = new Set(rows.map(key));
    return (claim) => keys.has(key(claim));
  }

  /** Of replies that were not sent: the rule may reply again. A later claim stays. */
  async release(RuleId: string, addresses: string[], at: Date): Promise<void> {
    await this.db.query(
      `delete from inbound_claims where rule_id = $1 and address = any($2) and claimed_at <= $3`,
      [RuleId, addresses, at],
    );
  }

  /** Those of the addresses that are sender names or connected numbers of the account. */
  async ownNumbers(OwnerId: string, addresses: string[]): Promise<Set<string>> {
    const rows = await this.db.query<{ address: string }>(
      `select a.address from unnest($2::text[]) a(address)
        where ltrim(a.address, '+') in (select ltrim(name, '+') from sendernames where owner_id = $1)
           or ltrim(a.address, '+') in (select ltrim(phone, '+') from wapi_instances where owner_id = $1 and phone is not null)`,
      [OwnerId, addresses],
    );
    return new Set(rows.map(({ address }) => address));
  }

  /** True if there may be more. */
  async deleteBefore(at: Date): Promise<boolean> {
    const deleted = await this.db.execute(
      `delete from inbound_claims where (rule_id, address) in (
         select rule_id, address from inbound_claims where claimed_at < $1 order by claimed_at limit ${DELETE_BATCH_SIZE})`,
      [at],
    );
    return deleted === DELETE_BATCH_SIZE;
  }
}
