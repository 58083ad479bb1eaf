import { Injectable } from '@nestjs/common';
import {
  approvedSpelling,
  attemptRefusal,
  isRestricted,
  recipientAccess,
  type RulesRefusal,
  type SendingRules,
  type SendingType,
} from '@heliograph/domain';
import { Clock } from '../../../core/clock.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { SettingsService } from '../../settings/settings.service.ts';
import { AccountRulesStore } from './account-rules.store.ts';

interface Attempt {
  type: SendingType;
  sender: string;
}

interface Message {
  OwnerId: string;
  address: string;
}
/** `counted`: allowed, as one of the few messages that the account may send. */
export type Claim = 'allowed' | 'counted' | 'refused';

const HOUR_MS = 3_600_000;
const CLEANUP_BATCH_SIZE = 5000;

/**
 * Whether an account may send a message: checked on intake, at every chunk of a bulk, before a batch is submitted and before a
 * fallback starts. Settings are cached for a second and read again before anything is refused.
 */
@Injectable()
export class AccountRulesService {
  constructor(
    private readonly store: AccountRulesStore,
    private readonly clock: Clock,
    private readonly settings: SettingsService,
  ) {}

  /** Why one of the attempts may not be sent to any recipient; null when all may. */
  async refusalOf(OwnerId: string, attempts: readonly Attempt[]): Promise<RulesRefusal | null> {
    return firstOf(await this.refusalsOf(OwnerId, attempts));
  }

  /** The same for each of the attempts. */
  refusalsOf(OwnerId: string, attempts: readonly Attempt[]): Promise<(RulesRefusal | null)[]> {
    return this.confirmedRefusals(OwnerId, (rules) =>
      attempts.map((attempt) => attemptRefusal(rules, attempt)),
    );
  }

  /** The attempts with their sender names as they were approved. */
  async withApprovedNames<A extends { type: SendingType; payload: { sender: string } }>(
    OwnerId: string,
    attempts: readonly A[],
  ): Promise<A[]> {
    const rules = await this.settings.sendingRules(OwnerId);
    return attempts.map((attempt) => {
      const { type, payload } = attempt;
      const sender = approvedSpelling(rules, { type, sender: payload.sender });
      return { ...attempt, payload: { ...payload, sender } };
    });
  }

  /** The same for a batch about to be submitted. A phone that is no longer confirmed does not stop messages that were charged. */
  async submitRefusal(OwnerId: string, attempt: Attempt): Promise<RulesRefusal | null> {
    return firstOf(await this.submitRefusals(OwnerId, [attempt]));
  }

  /** Refused messages with their reasons. Singles of one batch may be of several owners. */
  async refusedRows(
    rows: readonly { id: string; OwnerId: string; sender: string }[],
    type: SendingType,
  ): Promise<Map<string, RulesRefusal>> {
    const refused = new Map<string, RulesRefusal>();
    const ofOwners = [...Map.groupBy(rows, ({ OwnerId }) => OwnerId)].map(
      async ([OwnerId, own]) => {
        const refusals = await this.submitRefusals(
          OwnerId,
          own.map(({ sender }) => ({ type, sender })),
        );
        for (const [i, { id }] of own.entries()) if (refusals[i]) refused.set(id, refusals[i]);
      },
    );
    await Promise.all(ofOwners);
    return refused;
  }

  /**
   * Whether each message may be sent by its account now. Those of unconfirmed accounts to their own phones are counted, in the
   * transaction that stores them and after all other checks but that of the funds; `giveBack` takes back what these do not cover.
   */
  async claim(messages: readonly Message[], now: Date): Promise<Claim[]> {
    const rules = new Map<string, SendingRules | null>();
    for (const OwnerId of new Set(messages.map((message) => message.OwnerId)))
      rules.set(OwnerId, await this.restrictedRules(OwnerId));
    const accesses = messages.map(({ OwnerId, address }) => {
      const restricted = rules.get(OwnerId);
      return restricted ? recipientAccess(restricted, address) : 'always';
    });
    const limited = messages.filter((_, i) => accesses[i] === 'limited');
    const taken = await this.store.take(limited.map(keysOf), dayOf(now));
    return accesses.map((access) => {
      if (access !== 'limited') return access === 'always' ? 'allowed' : 'refused';
      return taken.shift() ? 'counted' : 'refused';
    });
  }

  /** Takes back messages that were counted at `now` in the same transaction, and are not stored. */
  giveBack(counted: readonly Message[], now: Date): Promise<void> {
    return this.store.giveBack(counted.map(keysOf), dayOf(now));
  }

  /** Whether the account may send to an address now. Nothing is counted. */
  async maySendTo(OwnerId: string, address: string): Promise<boolean> {
    const access = recipientAccess(await this.settings.sendingRules(OwnerId), address);
    if (access !== 'limited') return access === 'always';
    const keys = keysOf({ OwnerId, address });
    return !(await this.store.isLimitReached(keys, dayOf(this.clock.now())));
  }

  /** Whether each address is on a blacklist of its account, parallel to `addresses`. */
  areBlacklisted(addresses: { OwnerId: string; address: string }[]): Promise<boolean[]> {
    return this.store.areBlacklisted(addresses);
  }

  /** Whether the account may send a bulk to these addresses and contact lists. */
  async maySendToAudience(OwnerId: string, typed: string[], lists: string[]): Promise<boolean> {
    const rules = await this.restrictedRules(OwnerId);
    if (!rules) return true;
    if (typed.some((address) => recipientAccess(rules, address) === 'never')) return false;
    return !(await this.store.hasForeignPhones(lists, rules.phone));
  }

  @Sweeps(HOUR_MS)
  async deleteOldCounts(): Promise<boolean> {
    const deleted = await this.store.deleteOld(this.clock.now(), CLEANUP_BATCH_SIZE);
    return deleted === CLEANUP_BATCH_SIZE;
  }

  private submitRefusals(
    OwnerId: string,
    attempts: readonly Attempt[],
  ): Promise<(RulesRefusal | null)[]> {
    return this.confirmedRefusals(OwnerId, (rules) =>
      attempts.map((attempt) => attemptRefusal({ ...rules, isPhoneConfirmed: true }, attempt)),
    );
  }

  /** Refusals by cached rules stand only if the current rules refuse, too. */
  private async confirmedRefusals(
    OwnerId: string,
    refusalsOf: (rules: SendingRules) => (RulesRefusal | null)[],
  ): Promise<(RulesRefusal | null)[]> {
    const refusals = refusalsOf(await this.settings.sendingRules(OwnerId));
    if (firstOf(refusals) === null) return refusals;
    return refusalsOf(await this.settings.sendingRulesNow(OwnerId));
  }

  /** The current rules of an account that may send to few addresses; null of any other. */
  private async restrictedRules(OwnerId: string): Promise<SendingRules | null> {
    if (!isRestricted(await this.settings.sendingRules(OwnerId))) return null;
    const rules = await this.settings.sendingRulesNow(OwnerId);
    return isRestricted(rules) ? rules : null;
  }
}

/** The limits under which a message of an unconfirmed account counts: its own, and that of the phone. */
const keysOf = ({ OwnerId, address }: Message): string[] => [OwnerId, address];
const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

const firstOf = (refusals: (RulesRefusal | null)[]): RulesRefusal | null =>
  refusals.find((refusal) => refusal !== null) ?? null;
