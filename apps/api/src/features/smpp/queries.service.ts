import { Injectable } from '@nestjs/common';
import { sendings, tasks, type Permission } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import {
  type Answer,
  type PduOf,
  PduError,
  STATUS,
  formatTime,
  stateNumber,
} from '@heliograph/smpp';
import { requirePermission, type Actor } from '../../core/auth/actor.ts';
import { AppError } from '../../core/errors.ts';
import { RequestRates } from '../../core/http/request-rates.ts';
import { SendingsService } from '../sendings/sendings.service.ts';
import { TasksService } from '../tasks/tasks.service.ts';
import { PartsService } from './parts.service.ts';
import { errorNumber, messageState } from './receipts.ts';

/** Questions about messages of the account, and the end of those that are not submitted yet. */
@Injectable()
export class QueriesService {
  constructor(
    private readonly sendings: SendingsService,
    private readonly tasks: TasksService,
    private readonly rates: RequestRates,
    private readonly parts: PartsService,
  ) {}

  async query(actor: Actor, { messageId }: PduOf<'query_sm'>): Promise<Answer> {
    requirePermission(actor, sendings.get.can as Permission);
    if (!isUuid(messageId)) throw unknown();
    this.rates.countCall(actor.OwnerId, 'read');
    const joined = await this.parts.sendingOf(actor.OwnerId, messageId);
    const answer = { messageId, finalDate: '', errorCode: 0 };
    if (joined === null) return { ...answer, messageState: stateNumber('enroute') };
    const { state, deliveredAt, failedAt } = await this.sendings
      .get(actor, joined ?? messageId)
      .catch((error: unknown) => {
        const isNotFound = error instanceof AppError && error.code === 'not_found';
        if (!isNotFound) throw error;
        // A part that was given up.
        if (joined) return GIVEN_UP;
        throw unknown();
      });
    const end = deliveredAt ?? failedAt;
    return {
      messageId,
      finalDate: end ? formatTime(new Date(end)) : '',
      messageState: stateNumber(messageState(state.status, state.code)),
      errorCode: errorNumber(state.status === 'failed' ? state.code : null),
    };
  }

  /** Messages that are not submitted can be stopped, such as scheduled ones and the rest of those for several recipients. */
  async cancel(actor: Actor, { messageId }: PduOf<'cancel_sm'>): Promise<Answer> {
    if (!isUuid(messageId)) throw new PduError('No id', STATUS.ESME_RINVMSGID);
    try {
      this.rates.countCall(actor.OwnerId, 'write');
      const isBulk = await this.isBulk(actor, messageId);
      requirePermission(actor, (isBulk ? tasks : sendings).cancel.can as Permission);
      const joined = isBulk ? undefined : await this.parts.sendingOf(actor.OwnerId, messageId);
      if (isBulk) await this.tasks.cancel(actor, messageId);
      else {
        this.rates.countMessages(actor.OwnerId, 1, 'cancelled');
        await this.sendings.cancel(actor, joined ?? messageId);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isTooFast = error.code === 'rate_limited';
      throw new PduError(
        'It cannot be cancelled',
        isTooFast ? STATUS.ESME_RTHROTTLED : STATUS.ESME_RCANCELFAIL,
      );
    }
    return {};
  }

  private async isBulk(actor: Actor, id: string): Promise<boolean> {
    try {
      await this.tasks.getBulk(actor, id);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return false;
      throw error;
    }
  }
}

const GIVEN_UP = {
  state: { status: 'failed', code: 'expired' },
  deliveredAt: null,
  failedAt: null,
};

const unknown = () => new PduError('No such message', STATUS.ESME_RINVMSGID);
