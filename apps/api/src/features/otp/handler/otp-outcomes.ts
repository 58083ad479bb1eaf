import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../../../core/metrics/metrics.ts';
import { Outbox } from '../../../core/outbox.ts';
import { OtpSessionsStore, type EndedSession } from './otp-sessions.store.ts';

const EVENT = 'otpSessions.state';

/** Tells of sessions that ended: by the events of webhooks and by metrics, in the transaction of the change. */
@Injectable()
export class OtpOutcomes implements OnModuleInit {
  constructor(
    private readonly store: OtpSessionsStore,
    private readonly outbox: Outbox,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.outbox.complete(EVENT, async (OwnerId, events) => {
      const phones = await this.store.phonesOf(
        OwnerId,
        events.map(({ key }) => key),
      );
      return events.map(({ key, data }) => {
        const recipient = phones.get(key);
        return recipient === undefined ? null : { id: key, recipient, ...data };
      });
    });
  }

  confirmed(sessions: EndedSession[]): Promise<void> {
    return this.report(sessions, 'confirmed');
  }

  failed(sessions: EndedSession[], reason: 'closed' | 'expired'): Promise<void> {
    return this.report(sessions, 'failed', reason);
  }

  private async report(
    sessions: EndedSession[],
    state: 'confirmed' | 'failed',
    reason: 'closed' | 'expired' | null = null,
  ): Promise<void> {
    if (!sessions.length) return;
    for (const { type } of sessions) this.metrics.otpSession(reason ?? 'confirmed', type);
    await this.outbox.add(
      EVENT,
      sessions.map(({ id, OwnerId, widgetId, confirmedBy }) => ({
        OwnerId,
        key: id,
        data: { widgetId, channel: confirmedBy, state, reason },
      })),
    );
  }
}
