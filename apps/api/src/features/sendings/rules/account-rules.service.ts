import { Injectable } from '@nestjs/common';
import {
  attemptRefusal,
  isRestricted,
  recipientAccess,
  UNCONFIRMED_MESSAGES_PER_DAY,
  type RulesRefusal,
  type SendingRules,
  type SendingType,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import type { DueRow } from '../dispatch/dispatch.store.ts';

interface Attempt {
  type: SendingType;
  sender: string;
}

const HOUR_MS = 3_600_000;
/** Counts of days that are over go so many at a time. */
const DROPPED_AT_MOST = 5000;

/**
 * Whether an account may still send what it asked for: looked at when it asks, at every chunk of a bulk, before a handover and
 * before a fallback. What an account may do is cached for a second, and read again before anything is refused.
 */
@Injectable()
export class AccountRulesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: SettingsService,
  ) {}

  /** Why one of the attempts may not be sent to anybody; null when all may. */
  refusalOf(OwnerId: string, attempts: readonly Attempt[]): Promise<RulesRefusal | null> {
    return this.judge(OwnerId, (rules) => {
      for (const attempt of attempts) {
        const refusal = attemptRefusal(rules, attempt);
        if (refusal) return refusal;
      }
      return null;
    });
  }

  /** The same of what is about to be handed over. That a phone is not confirmed any more calls back nothing that was charged. */
  submitRefusal(OwnerId: string, attempt: Attempt): Promise<RulesRefusal | null> {
    return this.judge(OwnerId, (rules) =>
      attemptRefusal({ ...rules, isPhoneConfirmed: true }, attempt),
    );
  }

  /** Of singles, which come from many owners: the refused ones with their reasons. */
  async refusedRows(rows: DueRow[], type: SendingType): Promise<Map<string, RulesRefusal>> {
    const refused = new Map<string, RulesRefusal>();
    for (const { id, OwnerId, sender } of rows) {
      const refusal = await this.submitRefusal(OwnerId, { type, sender });
      if (refusal) refused.set(id, refusal);
    }
    return refused;
  }

  /**
   * Which of these addresses the account reaches now, one message each; null when it reaches everybody. A message to the
   * registered phone of an unconfirmed account is counted here, in the transaction that makes it where one runs.
   */
  async claim(OwnerId: string, addresses: readonly string[]): Promise<boolean[] | null> {
    const rules = await this.restricted(OwnerId);
    if (!rules) return null;
    const reached: boolean[] = [];
    for (const address of addresses) {
      const reach = recipientAccess(rules, address);
      reached.push(
        reach === 'always' || (reach === 'limited' && (await this.count(OwnerId, address))),
      );
    }
    return reached;
  }

  /** Whether a message would reach an address now; nothing is counted. */
  async reaches(OwnerId: string, address: string): Promise<boolean> {
    const reach = recipientAccess(await this.settings.sendingRules(OwnerId), address);
    if (reach !== 'limited') return reach === 'always';
    const today = this.clock.now().toISOString().slice(0, 10);
    const full = await this.db.query(
      `select 1 from unconfirmed_messages where key = any($1) and day = $2 and count >= $3`,
      [[OwnerId, address], today, UNCONFIRMED_MESSAGES_PER_DAY],
    );
    return full.length === 0;
  }

  /** Whether an unconfirmed account may name these people as the audience of a bulk. */
  async reachesAudience(OwnerId: string, typed: string[], lists: string[]): Promise<boolean> {
    const rules = await this.restricted(OwnerId);
    if (!rules) return true;
    if (typed.some((address) => recipientAccess(rules, address) === 'never')) return false;
    const others = await this.db.query(
      `select 1 from contacts where list_id = any($1) and phone is not null and phone not similar to '\\+799900000[0-9]{2}'
          and phone is distinct from $2 limit 1`,
      [lists, rules.phone],
    );
    return others.length === 0;
  }

  /** Nothing is refused by what is only remembered. */
  private async judge(
    OwnerId: string,
    refusalOf: (rules: SendingRules) => RulesRefusal | null,
  ): Promise<RulesRefusal | null> {
    return (
      refusalOf(await this.settings.sendingRules(OwnerId)) &&
      refusalOf(await this.settings.sendingRulesNow(OwnerId))
    );
  }

  /** The rules of an account that reaches few, as they are now; null of one that reaches everybody. */
  private async restricted(OwnerId: string): Promise<SendingRules | null> {
    if (!isRestricted(await this.settings.sendingRules(OwnerId))) return null;
    const rules = await this.settings.sendingRulesNow(OwnerId);
    return isRestricted(rules) ? rules : null;
  }

  @Sweeps(HOUR_MS)
  async drop(): Promise<boolean> {
    const dropped = await this.db.execute(
      `delete from unconfirmed_messages where (day, key) in (
         select day, key from unconfirmed_messages where day < $1::date - 1 order by day, key limit ${DROPPED_AT_MOST})`,
      [this.clock.now()],
    );
    return dropped === DROPPED_AT_MOST;
  }

  /** False when the phone, or the account, has had its messages of the day. Both are counted, or neither. */
  private count(OwnerId: string, phone: string): Promise<boolean> {
    const today = this.clock.now().toISOString().slice(0, 10);
    const keys = [OwnerId, phone];
    return this.db.transaction(async () => {
      await this.db.query(
        `insert into unconfirmed_messages (key, day) select key, $2 from unnest($1::text[]) as k(key) order by key on conflict do nothing`,
        [keys, today],
      );
      const counts = await this.db.query<{ count: number }>(
        `select count from unconfirmed_messages where key = any($1) and day = $2 order by key for update`,
        [keys, today],
      );
      if (counts.some(({ count }) => count >= UNCONFIRMED_MESSAGES_PER_DAY)) return false;
      await this.db.query(
        `update unconfirmed_messages set count = count + 1 where key = any($1) and day = $2`,
        [keys, today],
      );
      return true;
    });
  }
}
