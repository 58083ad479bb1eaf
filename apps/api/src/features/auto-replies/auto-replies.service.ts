import { Injectable } from '@nestjs/common';
import { literalText } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { AutoRepliesStore, type AutoReply, type ReplyOutcome } from './auto-replies.store.ts';

export type { AutoReply, ReplyOutcome } from './auto-replies.store.ts';

export type NewReply = Omit<AutoReply, 'id'>;

const RETENTION_DAYS = 1;
const OUTCOMES_AT_ONCE = 5000;

/** Answers of the platform to incoming messages: confirmations of opt-outs, and replies of inbound rules. */
@Injectable()
export class AutoRepliesService {
  constructor(
    private readonly store: AutoRepliesStore,
    private readonly clock: Clock,
    private readonly retention: Retention,
  ) {}

  /** The confirmation of an opt-out, without variables. A person gets few of them. */
  confirm(reply: Omit<NewReply, 'RuleId'>, at: Date): Promise<void> {
    return this.store.confirm({ ...reply, text: literalText(reply.text), id: uuidv7(at) }, at);
  }

  add(replies: NewReply[]): Promise<void> {
    const now = this.clock.now();
    return this.store.add(replies.map((reply) => ({ ...reply, id: uuidv7(now) })));
  }

  /** Answers of rules within a day by person, and of the whole account within an hour. */
  async counts(
    OwnerId: string,
    addresses: string[],
  ): Promise<{ byPerson: Map<string, number>; inHour: number }> {
    const now = this.clock.now();
    const byPerson = await this.store.countByPerson(OwnerId, addresses, now);
    return { byPerson, inHour: await this.store.countOfHour(OwnerId, now) };
  }

  /** The first ones that wait, locked until the transaction ends. */
  next(limit: number): Promise<AutoReply[]> {
    return this.store.next(limit);
  }

  /** `outcome` is `sent` or the code of a refusal. */
  finish(results: { id: string; outcome: string }[]): Promise<void> {
    return this.store.finish(results, this.clock.now());
  }

  /** What became of answers of rules since the last call. In the transaction that counts them. */
  takeOutcomes(): Promise<ReplyOutcome[]> {
    return this.store.takeOutcomes(OUTCOMES_AT_ONCE);
  }

  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('auto_replies', RETENTION_DAYS);
  }
}
