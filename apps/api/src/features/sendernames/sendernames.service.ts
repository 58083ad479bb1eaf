import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Level, sendernames } from '@heliograph/contract';
import { moderationTransition } from '@heliograph/domain';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { refuseChangesOf } from '../../core/changes.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Notifications } from '../../core/notifications.ts';
import { Outbox } from '../../core/outbox.ts';
import { Quotas } from '../../core/quotas.ts';
import { present, type Sendername } from './sendername.entity.ts';
import { SENDERNAMES_QUOTA, SendernamesStore } from './sendernames.store.ts';

type Input = In<typeof sendernames.create>['body'];
type Changes = In<typeof sendernames.update>['body'];
type Moderation = In<typeof sendernames.moderate>['body'];

@Injectable()
export class SendernamesService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly store: SendernamesStore,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly quotas: Quotas,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'sendernames',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      present,
    );
  }

  create(actor: Actor, { comment, meta, ...fields }: Input): Promise<Sendername> {
    const { name, type } = fields;
    return this.db.transaction(async () => {
      if (await this.store.isRegistered(actor.OwnerId, type, name)) throw registered();
      const values = { ...fields, OwnerId: actor.OwnerId, comment: meta?.comment || comment };
      const row = await this.store.create(values).catch((error: unknown) => {
        throw violated(error) === 'sendernames_name' ? registered() : error;
      });
      await this.quotas.check(SENDERNAMES_QUOTA, actor.OwnerId);
      this.events.changed('sendernames', 'created', row.OwnerId, row.id);
      return row;
    });
  }

  /** Creates an approved name for a new account. */
  async grant(OwnerId: string, name: string): Promise<void> {
    const comment = 'For first messages';
    await this.store.create({ OwnerId, name, type: 'sms', comment, moderation: 'approved' });
  }

  /** The presented names of an account. */
  async ofOwner(OwnerId: string, level: Level): Promise<ReturnType<typeof present>[]> {
    return (await this.store.ofOwner(OwnerId)).map((row) => present(row, level));
  }

  /** A new comment on a rejected name requests moderation again. */
  update(
    actor: Actor,
    id: string,
    { name, type, meta, comment: beside, ...fields }: Changes,
  ): Promise<Sendername> {
    const comment = meta?.comment ?? beside;
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      refuseChangesOf(row, { name, type });
      const isEdited = comment !== undefined && comment !== row.comment;
      const moderation = isEdited
        ? (moderationTransition(row.moderation, 'edit') ?? row.moderation)
        : row.moderation;
      const changed = await this.store.update(actor.scope, id, {
        ...fields,
        comment,
        moderation,
      });
      this.events.changed('sendernames', 'updated', row.OwnerId, id);
      return changed;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      this.events.changed('sendernames', 'removed', row.OwnerId, id);
      return { id };
    });
  }

  /** Approves or rejects a name of another account and notifies its owner. */
  moderate(
    actor: Actor,
    id: string,
    { moderation, comment, privateComment }: Moderation,
  ): Promise<Sendername> {
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      if (row.OwnerId === actor.OwnerId)
        throw new AppError('forbidden', 'You cannot moderate your own sender name');
      const next = moderationTransition(
        row.moderation,
        moderation === 'approved' ? 'approve' : 'reject',
      );
      if (!next || (row.moderation === 'approved' && actor.level !== 'manager'))
        throw new AppError('conflict');
      const comments =
        actor.level === 'manager'
          ? { adminComment: comment, adminPrivateComment: privateComment }
          : { resellerComment: comment, resellerPrivateComment: privateComment };
      const changed = await this.store.update(actor.scope, id, { moderation: next, ...comments });
      const { name, type, OwnerId } = changed;
      const notification = next === 'approved' ? 'SendernameApproved' : 'SendernameRejected';
      await this.notifications.notify(OwnerId, notification, {
        id,
        name,
        type,
        reason: comment ?? null,
      });
      await this.outbox.add('sendernames.moderation', [
        {
          OwnerId,
          key: id,
          data: { id, name, type, moderation: next, comment: comment ?? null },
        },
      ]);
      const before = { name, type, moderation: row.moderation };
      // The owner can read the record, so it must not contain the private comment.
      const after = { moderation: next, comment: comment ?? null };
      await this.audit.record({ OwnerId, target: ['sendernames', id], before, after });
      this.events.changed('sendernames', 'updated', OwnerId, id);
      return changed;
    });
  }
}

const registered = () => invalid('name', 'unique', 'This name is already registered.');
