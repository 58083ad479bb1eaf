import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Level, SendingIncoming } from '@heliograph/contract';
import { system } from '../../core/auth/actor.ts';
import { Events } from '../../core/events/events.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { IncomingStore, presentIncoming } from './sendings-incoming.store.ts';

export interface NewIncoming {
  OwnerId: string;
  /** As stored. */
  type: number;
  from: string;
  to: string;
  payload: SendingIncoming['payload'];
  SendingId: string | null;
}

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

  async record(message: NewIncoming, at: Date): Promise<string> {
    const id = uuidv7(at);
    await this.store.create({ id, ...message });
    this.events.changed('sendingsIncoming', 'created', message.OwnerId, id);
    return id;
  }
}
