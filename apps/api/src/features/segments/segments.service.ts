import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  segmentNeeds,
  type SegmentCount,
  type SegmentRules,
  type segments,
} from '@heliograph/contract';
import { ownScope, requireAll, systemScope, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { SettingsService } from '../settings/settings.service.ts';
import { present, type Segment } from './segment.entity.ts';
import { SEGMENTS_QUOTA, SegmentsStore, type SegmentInLists } from './segments.store.ts';

export { memberSql, type Membership } from './member-sql.ts';
export type { SegmentInLists } from './segments.store.ts';

/** Activities of so many contacts are looked up for a count; of more contacts, of a sample. */
const LOOKED_UP = 5000;

@Injectable()
export class SegmentsService implements OnModuleInit {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: SegmentsStore,
    private readonly lists: ContactListsService,
    private readonly settings: SettingsService,
    private readonly events: Events,
    private readonly quotas: Quotas,
  ) {}

  onModuleInit(): void {
    this.events.present('segments', (ids) => this.store.byIds(systemScope, ids), present);
  }

  create(actor: Actor, input: In<typeof segments.create>['body']): Promise<Segment> {
    const { OwnerId } = actor;
    requireAll(actor, segmentNeeds(input));
    return this.db.transaction(async () => {
      await this.requireList(OwnerId, input.where);
      const { id } = await this.store.create({ OwnerId, ...input });
      await this.quotas.check(SEGMENTS_QUOTA, OwnerId);
      this.events.changed('segments', 'created', OwnerId, id);
      return this.store.get(ownScope(OwnerId), id);
    });
  }

  /** Conditions are replaced as a whole. Bulks that were created keep those that they began with. */
  update(
    actor: Actor,
    id: string,
    { title, where, activity }: In<typeof segments.update>['body'],
  ): Promise<Segment> {
    requireAll(actor, segmentNeeds({ where: where ?? {}, activity: activity ?? [] }));
    return this.db.transaction(async () => {
      const row = await this.store.lock(actor.scope, id);
      if (where) await this.requireList(row.OwnerId, where);
      await this.store.replace(actor.scope, {
        ...row,
        title: title ?? row.title,
        where: where ?? row.where,
        activity: activity ?? row.activity,
      });
      this.events.changed('segments', 'updated', row.OwnerId, id);
      return this.store.get(actor.scope, id);
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      this.events.changed('segments', 'removed', row.OwnerId, id);
      return { id };
    });
  }

  /** The owner's segments among `ids`, each with the lists that it reads. */
  inLists(OwnerId: string, ids: string[]): Promise<SegmentInLists[]> {
    return ids.length ? this.store.inLists(OwnerId, ids) : Promise.resolve([]);
  }

  async preview(actor: Actor, rules: SegmentRules): Promise<SegmentCount> {
    requireAll(actor, segmentNeeds(rules));
    await this.requireList(actor.OwnerId, rules.where);
    return this.count(actor.OwnerId, rules);
  }

  async count(OwnerId: string, rules: SegmentRules): Promise<SegmentCount> {
    const membership = { at: this.clock.now(), ...(await this.settings.readingOf(OwnerId)) };
    const contacts = await this.store.contactsIn(OwnerId, rules.where, membership);
    if (!rules.activity.length) return { count: contacts, exact: true };
    const one = Math.max(1, Math.ceil(contacts / LOOKED_UP));
    const seen = await this.store.members(OwnerId, rules, membership, one);
    if (one === 1) return { count: seen.members, exact: true };
    const share = seen.members / Math.max(1, seen.contacts);
    return { count: Math.round(contacts * share), exact: false };
  }

  private async requireList(OwnerId: string, { ListId }: SegmentRules['where']): Promise<void> {
    if (ListId) await this.lists.require(ownScope(OwnerId), [ListId]);
  }
}
