import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { filesOf, type templates } from '@heliograph/contract';
import { isUuid, moderationTransition } from '@heliograph/domain';
import { own, system, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Notifications } from '../../core/notifications.ts';
import { Quotas } from '../../core/quotas.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { presentRow, type Template } from './template.entity.ts';
import { TemplatesStore } from './templates.store.ts';

type Input = In<typeof templates.create>['body'];
type Changes = In<typeof templates.update>['body'];
type Verdict = In<typeof templates.moderate>['body'];

@Injectable()
export class TemplatesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: TemplatesStore,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly lists: ContactListsService,
    private readonly storage: StorageService,
    private readonly quotas: Quotas,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'templates',
      async (ids) => this.owners.named('manager', await this.store.byIds(system, ids)),
      presentRow,
    );
  }

  create(actor: Actor, input: Input): Promise<Template> {
    return this.db.transaction(async () => {
      const { OwnerId = actor.OwnerId } = input;
      await this.check(OwnerId, input);
      const row = await this.store.create({ ...input, OwnerId });
      await this.quotas.check('templates', OwnerId);
      this.events.changed('templates', 'created', row.OwnerId, row.id);
      return row;
    });
  }

  /** Payload, recipients and fallbacks are each replaced as a whole. What it says is moderated anew. */
  update(actor: Actor, id: string, changes: Changes): Promise<Template> {
    return this.db.transaction(async () => {
      const before = await this.store.lock(actor.reach, id);
      const { OwnerId, moderation } = before;
      await this.check(OwnerId, changes);
      const next = isRewritten(before, changes) && moderationTransition(moderation, 'rewrite');
      const row = await this.store.update(actor.reach, id, {
        ...changes,
        ...(next && { moderation: next, comment: null }),
      });
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

  /** A template to send from: what was rejected or set aside is not. */
  async usable(actor: Actor, id: string): Promise<Template> {
    const row = await this.store.get(actor.reach, id);
    if (row.moderation === 'rejected') throw new AppError('conflict', 'The template was rejected');
    if (!row.isActive) throw new AppError('conflict', 'The template is set aside');
    return row;
  }

  /** By a reseller or a manager, never on its own template. The owner is told. */
  moderate(actor: Actor, id: string, { moderation, comment }: Verdict): Promise<Template> {
    return this.db.transaction(async () => {
      const { OwnerId, title, ...row } = await this.store.lock(actor.reach, id);
      if (OwnerId === actor.OwnerId)
        throw new AppError('forbidden', 'Nobody moderates its own template');
      const action = moderation === 'approved' ? 'approve' : 'reject';
      const next = moderationTransition(row.moderation, action);
      if (!next) throw new AppError('conflict');
      const changed = await this.store.update(actor.reach, id, {
        moderation: next,
        comment: comment || null,
      });
      const told = next === 'approved' ? 'PatternApproved' : 'PatternRejected';
      await this.notifications.tell(OwnerId, told, { id, title, reason: comment || null });
      const before = { moderation: row.moderation, comment: row.comment };
      const after = { moderation: next, comment: comment || null };
      await this.audit.record({ OwnerId, target: ['templates', id], before, after });
      this.events.changed('templates', 'updated', OwnerId, id);
      return changed;
    });
  }

  /** The lists and files that a template names are its owner's, whoever writes it. */
  private async check(OwnerId: string, { recipient, payload, fallbacks }: Changes): Promise<void> {
    const lists = [...(recipient?.include ?? []), ...(recipient?.exclude ?? [])].filter(isUuid);
    await this.lists.require(own(OwnerId), lists);
    const payloads = [payload ?? {}, ...(fallbacks ?? []).map((f) => f.payload)];
    const files = await this.storage.require(own(OwnerId), payloads.flatMap(filesOf));
    await this.storage.claim(files.filter((f) => f.expiredAt).map((f) => f.id));
  }
}

/** Does it say something else than before, itself or by its fallbacks? */
function isRewritten(before: Template, changes: Changes): boolean {
  const says = (['type', 'payload', 'fallbacks'] as const).filter((k) => changes[k] !== undefined);
  return says.some((k) => !isDeepStrictEqual(changes[k], before[k]));
}
