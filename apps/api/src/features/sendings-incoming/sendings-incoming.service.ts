import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Level, SendingIncoming } from '@heliograph/contract';
import { system } from '../../core/auth/actor.ts';
import { Events } from '../../core/events/events.ts';
import { uuidv7 } from '../../core/uuid.ts';
import type { NewIncoming } from './incoming.ts';
import { IncomingStore, presentIncoming } from './sendings-incoming.store.ts';

export type { NewIncoming, Origin } from './incoming.ts';

@Injectable()
export class IncomingService implements OnModuleInit {
  constructor(
    private readonly store: IncomingStore,
    private readonly events: Events,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'sendingsIncoming',
      (ids) => this.store.byIds(system, ids),
      (row, level) => presentIncoming(row, level !== 'me'),
    );
  }

  async presented(id: string, level: Level): Promise<SendingIncoming> {
    return presentIncoming(await this.store.get(system, id), level !== 'me');
  }

  /** Keeps a message. One that its carrier has brought before stays as it is: `isNew` is false. */
  async record(message: NewIncoming, at: Date): Promise<{ id: string; isNew: boolean }> {
    const id = uuidv7(at);
    if (!(await this.store.create({ id, ...message })))
      return { id: await this.store.broughtBy(message.origin!), isNew: false };
    this.events.changed('sendingsIncoming', 'created', message.OwnerId, id);
    return { id, isNew: true };
  }
}
