import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EFFECTS, type OptOutSettings, type suppressions } from '@heliograph/contract';
import {
  isSpike,
  isSuppressible,
  normalizeEmail,
  normalizePhone,
  optOutOf,
  OWN_REASONS,
  SENDING_TYPES,
  typeCode,
  typeOf,
  type SendingType,
} from '@heliograph/domain';
import { Audit } from '../../core/audit/audit.ts';
import { ActingTokens } from '../../core/auth/acting-tokens.ts';
import { requireAll, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Notifications } from '../../core/notifications.ts';
import { Quotas } from '../../core/quotas.ts';
import { Slices } from '../../core/slices.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { AutoRepliesService } from '../auto-replies/auto-replies.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { OptOutSettingsStore } from './opt-out-settings.store.ts';
import { ALL_TYPES, present, type Suppression } from './suppression.entity.ts';
import {
  SUPPRESSIONS_QUOTA,
  SuppressionsStore,
  type Addressed,
  type RecipientSuppression,
} from './suppressions.store.ts';

export { ALL_TYPES } from './suppression.entity.ts';
export type { Addressed, RecipientSuppression } from './suppressions.store.ts';

/** An incoming message, as stored. */
interface Heard {
  OwnerId: string;
  /** The stored integer of the type. */
  type: number;
  from: string;
  to: string;
  text: string;
  SendingId: string | null;
}

/** What a person may choose by the link of a message. */
export interface Choice {
  /** Those by which the account has written to the address, in the order of all types. */
  types: { type: SendingType; isStopped: boolean }[];
  /** The person has opted out of all types. */
  isStopped: boolean;
}

export type OptOutRequest = NonNullable<ReturnType<typeof optOutOf>>;

const SPIKE_INTERVAL_MS = 60_000;

/** People who get no messages of an account, because they or the account asked for it. */
@Injectable()
export class SuppressionsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: SuppressionsStore,
    private readonly settings: OptOutSettingsStore,
    private readonly replies: AutoRepliesService,
    private readonly accounts: SettingsService,
    private readonly events: Events,
    private readonly owners: Owners,
    private readonly tokens: ActingTokens,
    private readonly quotas: Quotas,
    private readonly audit: Audit,
    private readonly slices: Slices,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'suppressions',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  /** An address that is there already keeps its entry. */
  async create(
    { OwnerId }: Actor,
    { address: given, type, note }: In<typeof suppressions.create>['body'],
  ): Promise<Suppression> {
    const address = this.read(given, await this.accounts.countryOf(OwnerId));
    if (!address)
      throw invalid('address', 'address', 'This is neither a phone number nor an e-mail address.');
    const row = { OwnerId, address, type: type ? typeCode(type) : ALL_TYPES };
    return this.db.transaction(async () => {
      const added = await this.store.add({
        ...row,
        id: uuidv7(this.clock.now()),
        reason: 'manual',
        note: note || null,
        SendingId: null,
      });
      if (!added) return (await this.store.of(row))!;
      await this.quotas.check(SUPPRESSIONS_QUOTA, OwnerId);
      this.events.changed('suppressions', 'created', OwnerId, added.id);
      return added;
    });
  }

  async import(
    { OwnerId }: Actor,
    { addresses: given, type }: In<typeof suppressions.import>['body'],
  ): Promise<{ added: number; known: number; invalid: number; refused: string[] }> {
    const country = await this.accounts.countryOf(OwnerId);
    const addresses = new Set<string>();
    const refused: string[] = [];
    await this.slices.forEach(given, (text) => {
      const address = this.read(text, country);
      if (address) addresses.add(address);
      else refused.push(text);
    });
    const now = this.clock.now();
    const row = {
      OwnerId,
      reason: 'import' as const,
      note: null,
      SendingId: null,
    };
    const of = type ? typeCode(type) : ALL_TYPES;
    const people = [...addresses].map((address) => ({ address, type: of }));
    const added = await this.db.transaction(async () => {
      const rows = await this.store.addAll(row, people, () => uuidv7(now));
      if (rows.length) await this.quotas.check(SUPPRESSIONS_QUOTA, OwnerId);
      if (rows.length) this.events.counted('suppressions', 'created', OwnerId, null, rows.length);
      return rows.length;
    });
    return { added, known: addresses.size - added, invalid: refused.length, refused };
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const { OwnerId, reason } = await this.store.remove(actor.scope, id);
      await this.audit.record({ OwnerId, target: ['suppressions', id], before: { reason } });
      this.events.changed('suppressions', 'removed', OwnerId, id);
      return { id };
    });
  }

  settingsOf({ scope, OwnerId: own }: Actor, OwnerId = own): Promise<OptOutSettings> {
    return this.settings.get(scope, OwnerId);
  }

  /** Confirmations are messages of the account, so who words them may send: then, and each time that one is sent. */
  configure(
    actor: Actor,
    given: In<typeof suppressions.configure>['body'],
  ): Promise<OptOutSettings> {
    const { scope, OwnerId, tokenId } = actor;
    return this.db.transaction(async () => {
      const before = await this.settings.get(scope, OwnerId);
      const next = { ...given, sender: given.type && given.sender };
      const isReworded = CONFIRMATION.some((name) => next[name] !== before[name]);
      // A person takes over what is as it was, a token does not.
      const wordedBy = tokenId && !isReworded ? await this.settings.wordedBy(OwnerId) : tokenId;
      await this.settings.set(OwnerId, next, wordedBy);
      const after = await this.settings.get(scope, OwnerId);
      if (after.isConfirmed) requireAll(actor, EFFECTS.optOuts.confirmation);
      const target: [string, string] = ['users', OwnerId];
      await this.audit.record({ OwnerId, target, before, after });
      return after;
    });
  }

  /** Whether each message is to a person who opted out of it, parallel to `messages`. */
  areSuppressed(messages: readonly Addressed[]): Promise<boolean[]> {
    return this.store.areSuppressed(messages);
  }

  /**
   * Whether each chain ends with the opt-outs of its person: the first message, and those that follow it when it fails. Who has opted
   * out of all types gets none of them, whatever their addresses. Parallel to `chains`.
   */
  async areChainsSuppressed(
    chains: readonly (readonly [Addressed, ...Addressed[]])[],
  ): Promise<boolean[]> {
    const asked = chains.map(([first, ...others]) =>
      others.length ? [first, { ...first, type: ALL_TYPES }, ...others] : [first],
    );
    const suppressed = await this.store.areSuppressed(asked.flat());
    let read = 0;
    return asked.map(({ length }) => {
      const [isFirst, isAll = true, ...others] = suppressed.slice(read, (read += length));
      return isFirst! && (isAll || others.every(Boolean));
    });
  }

  /** What a message asks for by the words of its account; null if it is any other message. */
  async requestsIn(
    messages: { OwnerId: string; text: string | undefined }[],
  ): Promise<(OptOutRequest | null)[]> {
    const settings = new Map<string, OptOutSettings>();
    for (const OwnerId of new Set(messages.map((message) => message.OwnerId)))
      settings.set(OwnerId, await this.settings.get(systemScope, OwnerId));
    return messages.map(({ OwnerId, text }) =>
      text ? optOutOf(text, settings.get(OwnerId)!) : null,
    );
  }

  /** Acts on an incoming message that asks to end messages, or to start them again. In the transaction of the message. */
  async heard(
    message: Heard,
    asked: OptOutRequest,
    at: Date,
    { tokenId, mayConfirm }: { tokenId: string | null; mayConfirm: boolean },
  ): Promise<void> {
    const { OwnerId, type, from: address, text, SendingId } = message;
    const settings = await this.settings.get(systemScope, OwnerId);
    const changed =
      asked === 'stop'
        ? await this.optOut(
            { OwnerId, address, type: covered(settings, type) },
            { reason: 'stop', note: text.trim().slice(0, 100), SendingId },
          )
        : await this.optIn({ OwnerId, address, type });
    if (changed && settings.isConfirmed && mayConfirm)
      await this.confirm(message, settings, asked, tokenId, at);
  }

  /** The type of an opt-out from a message of `type`, by the settings of the account. */
  async coveredType(OwnerId: string, type: number): Promise<number> {
    return covered(await this.settings.get(systemScope, OwnerId), type);
  }

  /** False if the person had opted out before. */
  async optOut(
    person: Addressed,
    why: Pick<Suppression, 'reason' | 'note' | 'SendingId'>,
  ): Promise<boolean> {
    const row = { ...person, ...why, id: uuidv7(this.clock.now()) };
    const added = await this.store.add(row);
    if (added) this.events.changed('suppressions', 'created', person.OwnerId, added.id);
    return !!added;
  }

  /** The recipients of messages get no more of the type: what carriers ask for. In the transaction of their reports. */
  async suppressRecipients(asked: readonly RecipientSuppression[]): Promise<void> {
    if (!asked.length) return;
    const now = this.clock.now();
    for (const { id, OwnerId } of await this.store.addRecipients(asked, () => uuidv7(now)))
      this.events.changed('suppressions', 'created', OwnerId, id);
  }

  /** Takes back an opt-out from all types and one from this type. False if there was nothing to take back. */
  optIn({ type, ...person }: Addressed): Promise<boolean> {
    return this.allow(person, [ALL_TYPES, type]);
  }

  /** What the recipient of a message may choose. What the account has ended by itself is not offered, nor told. */
  async choiceOf(message: Addressed): Promise<Choice> {
    const entries = await this.store.entriesOf(message);
    const own = new Set<number>();
    const foreign = new Set<number>();
    for (const { type, reason } of entries)
      (OWN_REASONS.includes(reason) ? own : foreign).add(type);
    if (foreign.has(ALL_TYPES)) return { types: [], isStopped: false };
    const isStopped = own.has(ALL_TYPES);
    const used = new Set([message.type, ...(await this.store.typesTo(message))]);
    const types = SENDING_TYPES.filter(isSuppressible).flatMap((type) => {
      const code = typeCode(type);
      const isOffered = used.has(code) && !foreign.has(code);
      return isOffered ? { type, isStopped: isStopped || own.has(code) } : [];
    });
    return { types, isStopped };
  }

  /**
   * The recipient of a message gets the `kept` types of those that were `shown`, and not the others: without any, nothing. Who had opted
   * out of all types gets the kept ones and no other. Types that are not shown stay as they are.
   */
  async choose(
    message: Addressed & { SendingId: string },
    { shown, kept }: Record<'shown' | 'kept', readonly SendingType[]>,
  ): Promise<void> {
    const { OwnerId, address, SendingId } = message;
    const why = { reason: 'link', note: null, SendingId } as const;
    if (!shown.length) return;
    if (!kept.length) {
      await this.optOut({ OwnerId, address, type: ALL_TYPES }, why);
      return;
    }
    await this.store.lockPerson(message);
    const { types, isStopped } = await this.choiceOf(message);
    const asked = types.map(({ type }) => type).filter((type) => shown.includes(type));
    const allowed = asked.filter((type) => kept.includes(type));
    if (isStopped && !allowed.length) return;
    const isEmail = address.includes('@');
    const affected = isStopped
      ? SENDING_TYPES.filter((type) => isSuppressible(type) && (type === 'email') === isEmail)
      : asked;
    const stopped = affected.filter((type) => !allowed.includes(type)).map(typeCode);
    const lifted = allowed.map(typeCode);
    await this.allow(message, isStopped ? [ALL_TYPES, ...lifted] : lifted);
    const now = this.clock.now();
    // One choice is one opt-out of the message, and none if the person had ended everything before.
    const counted = isStopped ? 0 : 1;
    const add = (types: number[], of: string | null) =>
      this.store.addAll(
        { OwnerId, ...why, SendingId: of },
        types.map((type) => ({ address, type })),
        () => uuidv7(now),
      );
    const added = [
      ...(await add(stopped.slice(0, counted), SendingId)),
      ...(await add(stopped.slice(counted), null)),
    ];
    for (const { id } of added) this.events.changed('suppressions', 'created', OwnerId, id);
  }

  private async allow(
    person: Pick<Addressed, 'OwnerId' | 'address'>,
    types: readonly number[],
  ): Promise<boolean> {
    const removed = await this.store.withdraw(person, types);
    for (const { id } of removed)
      this.events.changed('suppressions', 'removed', person.OwnerId, id);
    return removed.length > 0;
  }

  @Sweeps(SPIKE_INTERVAL_MS)
  async notifySpikes(): Promise<void> {
    const now = this.clock.now();
    const spikes = (await this.store.spikes(now)).filter((s) => isSpike(s.today, s.before));
    if (!spikes.length) return;
    await this.db.transaction(async () => {
      const due = await this.store.takeSpikes(
        spikes.map((s) => s.OwnerId),
        now,
      );
      await this.notifications.notifyAll(
        'OptOutSpike',
        spikes
          .filter((s) => due.has(s.OwnerId))
          .map(({ OwnerId, today }) => ({ OwnerId, data: { count: today } })),
      );
    });
  }

  /** The answer goes the way of the message that was answered, or the configured one if that has the same kind of address. */
  private async confirm(
    { OwnerId, type, from, to }: Heard,
    settings: OptOutSettings,
    asked: OptOutRequest,
    tokenId: string | null,
    at: Date,
  ): Promise<void> {
    const TokenId = await this.settings.wordedBy(OwnerId);
    if (!(await this.tokens.mayAct({ OwnerId, TokenId }, EFFECTS.optOuts.confirmation))) return;
    const isEmail = (of: string) => of === 'email';
    const other = settings.type;
    const isOther = other !== null && isEmail(other) === isEmail(typeOf(type));
    await this.replies.confirm(
      {
        OwnerId,
        type: isOther ? typeCode(other) : type,
        sender: isOther ? settings.sender! : to,
        address: from,
        text: asked === 'stop' ? settings.stopText : settings.startText,
        tokenId: tokenId ?? TokenId,
      },
      at,
    );
  }

  private read(text: string, country: string): string | null {
    return text.includes('@') ? normalizeEmail(text) : normalizePhone(text, country);
  }
}

/** What a confirmation is, and whether there is one. */
const CONFIRMATION = ['isConfirmed', 'stopText', 'startText', 'type', 'sender'] as const;

const covered = ({ covers }: OptOutSettings, type: number): number =>
  covers === 'all' ? ALL_TYPES : type;
