import { Injectable } from '@nestjs/common';
import { type Concatenation, type Joinable, PduError, STATUS, joinedText } from '@heliograph/smpp';
import { createHash } from 'node:crypto';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { uuidFloor, uuidv7 } from '../../core/uuid.ts';
import { ReceiverQueues } from '../webhooks/receiver-queues.service.ts';
import { PartsStore, type StoredPart, type StoredReceiptPart } from './parts.store.ts';

/** How long the parts of a message wait for those that are missing. */
export const WAIT_SECONDS = 600;
/** Parts of an account that wait at a time. */
const MAX_WAITING = 10_000;
const SWEEP_SIZE = 1000;

/** A part as it was submitted. */
export interface NewPart extends Omit<StoredReceiptPart, 'id'> {
  OwnerId: string;
  /** Who submitted it: parts of others are never joined to it. */
  by: string;
  content: Joinable;
  place: Concatenation;
}

/** What became of a message that is whole: its id, and the status if it was refused. */
export interface Joined {
  id: string;
  refusal: number | null;
}

/**
 * Joins the parts of long messages, which come in any order and over any session. Each is stored before it is answered, so that none is
 * lost with a process (docs/decisions/123-smpp-server.md).
 */
@Injectable()
export class PartsService {
  constructor(
    private readonly db: Db,
    private readonly store: PartsStore,
    private readonly queues: ReceiverQueues,
    private readonly clock: Clock,
    private readonly retention: Retention,
    private readonly rates: RequestRates,
    private readonly config: Config,
  ) {}

  /**
   * Stores a part and returns the id of its answer. With the last one `create` makes the message, in the same transaction. Throws a PduError
   * if it refuses the message.
   */
  async add(
    part: NewPart,
    create: (text: string, wantsReceipt: boolean) => Promise<Joined>,
  ): Promise<string> {
    const id = uuidv7(this.clock.now());
    const result = await this.db.transaction(() => this.join(id, part, create));
    if (typeof result === 'string') return result;
    throw new PduError('The message is refused', result.refusal);
  }

  private async join(
    id: string,
    { OwnerId, by, place, content, receipt, source, destination }: NewPart,
    create: (text: string, wantsReceipt: boolean) => Promise<Joined>,
  ): Promise<string | { refusal: number }> {
    const { reference, total, index } = place;
    const about = JSON.stringify([by, source.address, destination?.address, reference, total]);
    // It outlives the number of the person in it.
    const key = createHash('sha256').update(about).digest('base64url');
    await this.store.lock(OwnerId, key);
    let waiting = await this.store.waiting(OwnerId, key);
    const same = waiting.find((one) => one.index === index);
    // Its answer was lost.
    if (same?.octets.equals(content.octets)) return same.id;
    if (same) {
      // The reference is used again, for the next message: what is missing of this one does not come any more.
      await this.giveUp(waiting);
      waiting = [];
    }
    const { octets, alphabet } = content;
    const part = { id, OwnerId, key, index, total, alphabet, octets, receipt, source, destination };
    if (waiting.length + 1 < total) {
      const tooMany = this.rates.countStored(OwnerId, 0, 'lostPart');
      if (tooMany) throw tooMany;
      if (await this.store.isFull(OwnerId, MAX_WAITING))
        throw new PduError('Too many parts wait', STATUS.ESME_RMSGQFUL);
      await this.store.add(part);
      return id;
    }
    const parts = [...waiting, part];
    const contents = new Map(parts.map((one) => [one.index, one as Joinable]));
    const wantsReceipt = parts.some((one) => one.receipt > 0);
    const message = await create(joinedText(total, contents), wantsReceipt);
    // A refused part has no receipt: its answer is the refusal.
    if (message.refusal === null) await this.store.add(part);
    else this.rates.countStored(OwnerId, waiting.length, 'lostPart');
    const joined = message.refusal === null ? parts : waiting;
    await this.store.join(
      joined.map((one) => one.id),
      message.id,
    );
    return message.refusal === null ? id : { refusal: message.refusal };
  }

  /** The message of a part, or the first of those that were given up; null while it waits, undefined for what is no part of the account. */
  sendingOf(OwnerId: string, id: string): Promise<string | null | undefined> {
    return this.store.sendingOf(OwnerId, id);
  }

  /** Messages that stay incomplete are not sent. Their parts get the receipts that were asked for. */
  @Sweeps(10_000)
  async sweep(): Promise<boolean> {
    const before = uuidFloor(new Date(this.clock.now().getTime() - WAIT_SECONDS * 1000));
    const count = await this.db.transaction(async () => {
      const parts = await this.store.lockOlder(before, SWEEP_SIZE);
      await this.giveUp(parts);
      return parts.length;
    });
    return count === SWEEP_SIZE;
  }

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('smpp_parts', this.config.RETENTION_WEBHOOKS_DAYS);
  }

  private async giveUp(parts: StoredPart[]): Promise<void> {
    if (!parts.length) return;
    const messages = [...Map.groupBy(parts, ({ OwnerId, key }) => `${OwnerId} ${key}`).values()];
    await this.store.giveUp(
      messages.map((all) => ({ first: all[0]!.id, ids: all.map(({ id }) => id) })),
    );
    for (const all of messages) {
      const [{ OwnerId, id }] = all as [StoredPart];
      this.rates.countStored(OwnerId, all.length, 'lostPart');
      if (all.some(({ receipt }) => receipt > 0))
        await this.queues.addFailure(OwnerId, id, 'expired');
    }
  }
}
