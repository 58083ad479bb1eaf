import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WebhookReport } from '@heliograph/domain';
import { MessageCallbacks, type Callback } from '../webhooks/message-callbacks.service.ts';
import type { CallbackFacts, StatusReport } from './callback.ts';
import { CallbacksStore } from './callbacks.store.ts';
import { kannelCallback } from './kannel-callback.ts';
import { twilioCallback } from './twilio-callback.ts';

type Composer = (facts: CallbackFacts) => Callback | null | Promise<Callback | null>;

const COMPOSERS: Record<string, Composer> = { kannel: kannelCallback, twilio: twilioCallback };

/** Composes the callbacks of messages in the form of the API that sent them. */
@Injectable()
export class CallbacksService implements OnModuleInit {
  constructor(
    private readonly callbacks: MessageCallbacks,
    private readonly store: CallbacksStore,
  ) {}

  onModuleInit(): void {
    this.callbacks.composeBy(({ OwnerId, api }, report, secret) =>
      this.compose(OwnerId, api, report, secret),
    );
  }

  private async compose(
    OwnerId: string,
    api: string,
    { data, at }: WebhookReport,
    secret: () => Promise<string>,
  ): Promise<Callback | null> {
    const report = data as unknown as StatusReport;
    const callback = await this.store.of(OwnerId, report.id);
    const composer = COMPOSERS[api];
    return callback && composer ? composer({ callback, report, at: new Date(at), secret }) : null;
  }
}
