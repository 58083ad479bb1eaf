import { Injectable, type OnModuleInit } from '@nestjs/common';
import { systemScope } from '../../core/auth/actor.ts';
import { Outbox } from '../../core/outbox.ts';
import type { WapiInstance } from './wapi-instance.entity.ts';
import { WapiStore } from './wapi.store.ts';

const EVENT = 'wapi.state';

/** Reports instances to webhooks, in the transaction that has changed their link or their paid time. */
@Injectable()
export class WapiWebhooksService implements OnModuleInit {
  constructor(
    private readonly store: WapiStore,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    // The phone may be that of a person, so it is not stored with the event.
    this.outbox.complete(EVENT, async (_, events) => {
      const rows = await this.store.byIds(
        systemScope,
        events.map(({ key }) => key),
      );
      const phones = new Map(rows.map(({ id, phone }) => [id, phone]));
      return events.map(({ key, data }) =>
        phones.has(key) ? { id: key, phone: phones.get(key), ...data } : null,
      );
    });
  }

  changed(
    rows: Pick<WapiInstance, 'id' | 'OwnerId' | 'state' | 'isPaid' | 'expiredAt'>[],
  ): Promise<void> {
    return this.outbox.add(
      EVENT,
      rows.map(({ OwnerId, id: key, state, isPaid, expiredAt }) => ({
        OwnerId,
        key,
        data: { state, isPaid, expiredAt: expiredAt.toISOString() },
      })),
    );
  }
}
