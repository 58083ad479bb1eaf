import { Injectable } from '@nestjs/common';
import { typeOf } from '@heliograph/domain';
import { Db, isUnavailable } from '../../../core/db/db.ts';
import { AppError } from '../../../core/errors.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { AutoRepliesService, type AutoReply } from '../../auto-replies/auto-replies.service.ts';
import { IntakeService } from './intake.service.ts';

const BATCH_SIZE = 100;

/** Sends the automatic answers that wait, in one transaction with their charges, so none is sent twice. */
@Injectable()
export class ReplySenderService {
  constructor(
    private readonly db: Db,
    private readonly log: Log,
    private readonly intake: IntakeService,
    private readonly replies: AutoRepliesService,
    private readonly shutdown: Shutdown,
  ) {}

  /** True when there may be more. */
  @Sweeps(1000)
  async send(): Promise<boolean> {
    try {
      return (await this.sendNext(BATCH_SIZE)) === BATCH_SIZE;
    } catch (error) {
      this.log.warn({ err: error }, 'Automatic answers are sent one by one.');
      for (let i = 0; i < BATCH_SIZE && !this.shutdown.isStopping; i++)
        if (!(await this.sendOne())) return false;
      return true;
    }
  }

  /** One that cannot be sent is finished, so that it does not stop the others. */
  private async sendOne(): Promise<boolean> {
    let reply: AutoReply | undefined;
    try {
      return (await this.sendNext(1, ([first]) => (reply = first))) === 1;
    } catch (error) {
      // After a lost connection it is sent or still waits; the next run finds out. Without room in the database it waits.
      if (!reply || isUnavailable(error)) throw error;
      // Such as no channel for the type. An opt-out holds without its confirmation.
      this.log.warn({ err: error, autoReplyId: reply.id }, 'An automatic answer was not sent.');
      const outcome = error instanceof AppError ? error.code : 'failed';
      await this.replies.finish([{ id: reply.id, outcome }]);
      return true;
    }
  }

  private sendNext(limit: number, taken?: (replies: AutoReply[]) => void): Promise<number> {
    return this.db.transaction(async () => {
      const replies = await this.replies.next(limit);
      taken?.(replies);
      const alike = Map.groupBy(replies, ({ OwnerId, type, sender, text, RuleId, tokenId }) =>
        JSON.stringify([OwnerId, type, sender, text, RuleId, tokenId]),
      );
      const results: { id: string; outcome: string }[] = [];
      for (const group of alike.values()) results.push(...(await this.answer(group)));
      if (results.length) await this.replies.finish(results);
      return replies.length;
    });
  }

  /** Answers that differ in nothing but the person. A confirmation is sent to people who have opted out, too. */
  private async answer(replies: AutoReply[]): Promise<{ id: string; outcome: string }[]> {
    const { OwnerId, type, sender, address, text, RuleId, tokenId } = replies[0]!;
    const receipts = await this.intake.answer(
      OwnerId,
      {
        type: typeOf(type),
        recipient: address,
        payload: { sender, text },
        fallbacks: [],
        audioSeconds: {},
        expiring: [],
        ...(tokenId && { tokenId }),
      },
      replies.map((reply) => reply.address),
      { isExempt: RuleId === null },
    );
    return replies.map(({ id }, i) => ({ id, outcome: receipts[i]!.code ?? 'sent' }));
  }
}
