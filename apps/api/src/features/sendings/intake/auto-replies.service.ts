import { Injectable } from '@nestjs/common';
import { literalText, typeOf } from '@heliograph/domain';
import { Db } from '../../../core/db/db.ts';
import { Sweeps } from '../../../core/jobs/handlers.ts';
import { Log } from '../../../core/log.ts';
import { Shutdown } from '../../../core/shutdown.ts';
import { SuppressionsService, type AutoReply } from '../../suppressions/suppressions.service.ts';
import { IntakeService } from './intake.service.ts';

const BATCH_SIZE = 100;

/** Sends the answers that wait: each with its charge in one transaction, so none is sent twice. */
@Injectable()
export class AutoRepliesService {
  constructor(
    private readonly db: Db,
    private readonly log: Log,
    private readonly intake: IntakeService,
    private readonly suppressions: SuppressionsService,
    private readonly shutdown: Shutdown,
  ) {}

  /** True when there may be more. */
  @Sweeps(1000)
  async send(): Promise<boolean> {
    for (let i = 0; i < BATCH_SIZE && !this.shutdown.isStopping; i++)
      if (!(await this.sendNext())) return false;
    return true;
  }

  private async sendNext(): Promise<boolean> {
    let reply: AutoReply | undefined;
    try {
      return await this.db.transaction(async () => {
        reply = await this.suppressions.nextReply();
        if (!reply) return false;
        await this.suppressions.finishReply(reply.id);
        await this.answer(reply);
        return true;
      });
    } catch (error) {
      if (!reply) throw error;
      // Such as no channel for the type. The opt-out holds without its confirmation.
      this.log.warn({ err: error, autoReplyId: reply.id }, 'An automatic answer was not sent.');
      await this.suppressions.finishReply(reply.id);
      return true;
    }
  }

  private answer({ OwnerId, type, sender, address, text }: AutoReply): Promise<void> {
    const payload = { sender, text: literalText(text) };
    const request = { type: typeOf(type), recipient: address, payload, fallbacks: [] };
    return this.intake.answer(OwnerId, { ...request, audioSeconds: {}, expiring: [] }, address);
  }
}
