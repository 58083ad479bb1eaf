import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { unsupportedFields, type templates } from '@heliograph/contract';
import {
  compileGroups,
  compileMatches,
  DEFAULT_GROUP,
  isUuid,
  canApproveGroup,
  moderationTransition,
  type GroupQuery,
  type TrafficGroup,
} from '@heliograph/domain';
import {
  ownScope,
  personOf,
  systemScope,
  SYSTEM_OWNER,
  type Actor,
} from '../../core/auth/actor.ts';
import { Owners } from '../../core/auth/owners.ts';
import { Audit } from '../../core/audit/audit.ts';
import { TtlCache } from '../../core/ttl-cache.ts';
import { changesOf } from '../../core/changes.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import { Events } from '../../core/events/events.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Notifications } from '../../core/notifications.ts';
import { Outbox } from '../../core/outbox.ts';
import { Quotas } from '../../core/quotas.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { presentRow, type Template } from './template.entity.ts';
import {
  TEMPLATES_QUOTA,
  TemplatesStore,
  type TemplateContent,
  type VersionRow,
} from './templates.store.ts';

export type { TemplateContent } from './templates.store.ts';

type Input = In<typeof templates.create>['body'];
type Changes = In<typeof templates.update>['body'];
type Content = Pick<Template, 'type' | 'payload' | 'fallbacks' | 'translations'>;
type Moderation = In<typeof templates.moderate>['body'];

/** Classifies a message by the patterns and templates of an account. */
export type GroupOf = (message: GroupQuery) => TrafficGroup;
/** The pattern or template that a message matches; null for an account without any. */
export type MatchOf = ReturnType<typeof compileMatches> | null;
export interface Groups {
  groupOf: GroupOf;
  matchOf: MatchOf;
}
const NO_TEMPLATES: Groups = { groupOf: () => DEFAULT_GROUP, matchOf: null };

interface Grouped {
  groups: Groups;
  /** The rows from which it was compiled, as JSON. */
  read: string;
}

@Injectable()
export class TemplatesService implements OnModuleInit {
  private readonly grouped = new TtlCache((OwnerId: string, last?: Grouped) =>
    this.group(OwnerId, last),
  );

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: TemplatesStore,
    private readonly owners: Owners,
    private readonly events: Events,
    private readonly notifications: Notifications,
    private readonly audit: Audit,
    private readonly lists: ContactListsService,
    private readonly storage: StorageService,
    private readonly quotas: Quotas,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.events.present(
      'templates',
      async (ids) => this.owners.withOwners('manager', await this.store.byIds(systemScope, ids)),
      presentRow,
    );
  }

  create(actor: Actor, input: Input): Promise<Template> {
    return this.db.transaction(async () => {
      const { OwnerId = actor.OwnerId } = input;
      await this.check(OwnerId, input, input);
      const writtenAt = this.clock.now();
      const row = await this.store.create({
        ...input,
        OwnerId,
        AuthorId: personOf(actor),
        writtenAt,
      });
      await this.quotas.check(TEMPLATES_QUOTA, OwnerId);
      this.events.changed('templates', 'created', row.OwnerId, row.id);
      return row;
    });
  }

  /** Payload, recipients, fallbacks and translations are replaced as a whole. A changed text is a new version and moderated again. */
  update(actor: Actor, id: string, changes: Changes): Promise<Template> {
    return this.db.transaction(async () => {
      const before = await this.store.lock(actor.scope, id);
      const { OwnerId, moderation } = before;
      const { type, payload, fallbacks, translations } = before;
      const present = { type, payload, fallbacks, translations };
      await this.check(OwnerId, changesOf(before, changes), { ...present, ...changes });
      const isRewritten = CONTENT.some((k) => isChanged(before, changes, k));
      const isAskedAgain = isRewritten || isChanged(before, changes, 'group');
      const next = isAskedAgain && moderationTransition(moderation, 'rewrite');
      if (isRewritten) await this.store.keep(id);
      const written = {
        version: before.version + 1,
        AuthorId: personOf(actor),
        writtenAt: this.clock.now(),
      };
      const row = await this.store.update(actor.scope, id, {
        ...changes,
        ...(next && { moderation: next, comment: null }),
        ...(isRewritten && written),
      });
      this.events.changed('templates', 'updated', OwnerId, id);
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      this.events.changed('templates', 'removed', row.OwnerId, id);
      return { id };
    });
  }

  /** A template to send from: what was rejected or set aside is not. */
  async usable(actor: Actor, id: string): Promise<Template> {
    return assertUsable(await this.store.get(actor.scope, id));
  }

  /** The same of an earlier version. */
  async usableVersion(actor: Actor, id: string, version: number): Promise<TemplateContent> {
    const row = await this.store.get(actor.scope, id);
    if (version === row.version) return assertUsable(row);
    const earlier = await this.store.version(id, version);
    if (!earlier) throw invalid('templateVersion', 'unknown', 'The template has no such version.');
    return assertUsable({ ...earlier, isActive: row.isActive });
  }

  /** The versions of a template, the present one first. */
  async versions(actor: Actor, id: string): Promise<VersionRow[]> {
    await this.store.get(actor.scope, id);
    return this.store.versions(id);
  }

  /** The group of a message by operator templates, then by the account's own templates. Cached for a second. */
  async groupsOf(OwnerId: string): Promise<Groups> {
    return OwnerId === SYSTEM_OWNER ? NO_TEMPLATES : (await this.grouped.get(OwnerId)).groups;
  }

  private async group(OwnerId: string, last?: Grouped): Promise<Grouped> {
    const rows = await this.store.grouped(OwnerId);
    const read = JSON.stringify(rows);
    return last?.read === read
      ? last
      : {
          read,
          groups: rows.length
            ? { groupOf: compileGroups(rows), matchOf: compileMatches(rows) }
            : NO_TEMPLATES,
        };
  }

  /** Approves or rejects a template of another account and notifies its owner. */
  moderate(actor: Actor, id: string, verdict: Moderation): Promise<Template> {
    const { moderation, comment } = verdict;
    return this.db.transaction(async () => {
      const { OwnerId, title, ...row } = await this.store.lock(actor.scope, id);
      if (OwnerId === actor.OwnerId)
        throw new AppError('forbidden', 'You cannot moderate your own template');
      const action = moderation === 'approved' ? 'approve' : 'reject';
      const next = moderationTransition(row.moderation, action);
      if (!next) throw new AppError('conflict');
      const group = verdict.group ?? row.group;
      if (next === 'approved' && !canApproveGroup(actor.level, group))
        throw new AppError('forbidden', 'Only a manager approves a template of this group.');
      const changed = await this.store.update(actor.scope, id, {
        moderation: next,
        comment: comment || null,
        group,
      });
      const notification = next === 'approved' ? 'PatternApproved' : 'PatternRejected';
      await this.notifications.notify(OwnerId, notification, {
        id,
        title,
        reason: comment || null,
      });
      await this.outbox.add('templates.moderation', [
        { OwnerId, key: id, data: { id, title, moderation: next, comment: comment || null } },
      ]);
      const before = { moderation: row.moderation, comment: row.comment, group: row.group };
      const after = { moderation: next, comment: comment || null, group };
      await this.audit.record({ OwnerId, target: ['templates', id], before, after });
      this.events.changed('templates', 'updated', OwnerId, id);
      return changed;
    });
  }

  /** Lists and files must belong to the template's owner, and its type must support the fields of the payload. */
  private async check(
    OwnerId: string,
    { recipient, fallbacks, ...changes }: Changes,
    next: Content,
  ): Promise<void> {
    const { type, payload } = next;
    const lists = [...(recipient?.include ?? []), ...(recipient?.exclude ?? [])].filter(isUuid);
    await this.lists.require(ownScope(OwnerId), lists);
    const isOther = changes.type !== undefined || changes.payload !== undefined;
    const messages = [
      ...(isOther ? [{ place: 'payload', type, payload }] : []),
      ...(fallbacks ?? []).map((f, i) => ({ ...f, place: `fallbacks.${i}.payload` })),
    ];
    const isOtherTexts = changes.type ?? fallbacks ?? changes.translations;
    for (const message of [...messages, ...(isOtherTexts ? textsOf(next) : [])]) {
      const [field] = unsupportedFields(message.type, message.payload);
      if (field)
        throw invalid(
          `${message.place}.${field}`,
          'unsupported',
          `The type ${message.type} has no ${field}.`,
        );
    }
    const files = await this.storage.requireMedia(ownScope(OwnerId), messages);
    await this.storage.claim(files.filter((f) => f.expiredAt).map((f) => f.id));
  }
}

const CONTENT = ['type', 'payload', 'fallbacks', 'translations'] as const;

/** The texts of translations, with the types of the messages in which they are sent. */
const textsOf = ({ type, fallbacks: attempts, translations }: Content) =>
  translations.flatMap(({ payload, fallbacks }, i) => [
    { place: `translations.${i}.payload`, type, payload },
    ...fallbacks.slice(0, attempts.length).map((payload, k) => ({
      place: `translations.${i}.fallbacks.${k}`,
      type: attempts[k]!.type,
      payload,
    })),
  ]);

const isChanged = (before: Template, changes: Changes, field: keyof Changes & keyof Template) =>
  changes[field] !== undefined && !isDeepStrictEqual(changes[field], before[field]);

function assertUsable<T extends Pick<Template, 'moderation' | 'isActive'>>(row: T): T {
  if (row.moderation === 'rejected') throw new AppError('conflict', 'The template was rejected');
  if (!row.isActive) throw new AppError('conflict', 'The template is set aside');
  return row;
}
