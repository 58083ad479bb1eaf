import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Level, Page, SendingIncoming, sendingsIncoming } from '@heliograph/contract';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { uuidv7 } from '../../core/uuid.ts';
import { SettingsService } from '../settings/settings.service.ts';
import type { NewIncoming } from './incoming.ts';
import { IncomingStore, presentIncoming } from './sendings-incoming.store.ts';

export type { NewIncoming, Origin } from './incoming.ts';

@Injectable()
export class IncomingService implements OnModuleInit {
  constructor(
    private readonly store: IncomingStore,
    private readonly events: Events,
    private readonly settings: SettingsService,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'sendingsIncoming',
      (ids) => this.store.byIds(systemScope, ids),
      (row, level) => presentIncoming(row, level !== 'me'),
    );
  }

  async find(
    actor: Actor,
    query: In<typeof sendingsIncoming.find>['query'],
  ): Promise<Page<SendingIncoming>> {
    const { createdAt } = query.range;
    const earliest = this.settings.earliest(actor, createdAt, this.clock.now());
    const range = { createdAt: { ...createdAt, $gt: createdAt?.$gt ?? earliest } };
    const country = await this.settings.countryOf(query.filter.OwnerId ?? actor.OwnerId);
    const page = await this.store.find(actor.scope, { ...query, range }, country);
    return { ...page, data: page.data.map((row) => presentIncoming(row, actor.level !== 'me')) };
  }

  async presented(id: string, level: Level): Promise<SendingIncoming> {
    return presentIncoming(await this.store.get(systemScope, id), level !== 'me');
  }

  /** An incoming message is its text. */
  @Sweeps(60_000)
  deleteOld(): Promise<boolean> {
    return this.retention.deleteOlder('sendings_incoming', this.config.RETENTION_TEXTS_DAYS);
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
