import { Injectable, type OnModuleInit } from '@nestjs/common';
import { filesOf, type templates } from '@heliograph/contract';
import { isUuid } from '@heliograph/domain';
import { own, system, type Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { present, type Template } from './template.entity.ts';
import { TemplatesStore } from './templates.store.ts';

type Input = In<typeof templates.create>['body'];
type Changes = In<typeof templates.update>['body'];

@Injectable()
export class TemplatesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: TemplatesStore,
    private readonly events: Events,
    private readonly lists: ContactListsService,
    private readonly storage: StorageService,
  ) {}

  onModuleInit(): void {
    this.events.present('templates', async (ids) =>
      (await this.store.byIds(system, ids)).map(present),
    );
  }

  create(actor: Actor, input: Input): Promise<Template> {
    return this.db.transaction(async () => {
      await this.check(actor.OwnerId, input);
      const row = await this.store.create({ ...input, OwnerId: actor.OwnerId });
      this.events.changed('templates', 'created', row.OwnerId, row.id);
      return row;
    });
  }

  /** Payload, recipients and fallbacks are each replaced as a whole. */
  update(actor: Actor, id: string, changes: Changes): Promise<Template> {
    return this.db.transaction(async () => {
      const { OwnerId } = await this.store.lock(actor.reach, id);
      await this.check(OwnerId, changes);
      const row = await this.store.update(actor.reach, id, changes);
      this.events.changed('templates', 'updated', OwnerId, id);
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.reach, id);
      this.events.changed('templates', 'removed', row.OwnerId, id);
      return { id };
    });
  }

  /** The lists and files that a template names are its owner's, whoever writes it. */
  private async check(OwnerId: string, { recipient, payload, fallbacks }: Changes): Promise<void> {
    const lists = [...(recipient?.include ?? []), ...(recipient?.exclude ?? [])].filter(isUuid);
    await this.lists.require(own(OwnerId), lists);
    const payloads = [payload ?? {}, ...(fallbacks ?? []).map((f) => f.payload)];
    await this.storage.require(own(OwnerId), payloads.flatMap(filesOf));
  }
}
