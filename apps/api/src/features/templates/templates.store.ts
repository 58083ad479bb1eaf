import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import type { templates } from '@heliograph/contract';
import type { GroupTemplate } from '@heliograph/domain';
import type { AccessScope } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { Template } from './template.entity.ts';

type Query = In<typeof templates.find>['query'];

/** A text is compared with at most this many patterns, and as many templates. */
const MAX_GROUPED = 500;

export const TEMPLATES_QUOTA: Quota = {
  name: 'templates',
  limit: (config) => config.QUOTA_TEMPLATES,
  used: countOf('templates'),
};

@Injectable()
export class TemplatesStore extends Store<Template, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 't.createdAt', title: 't.title', updatedAt: 't.updatedAt' },
    filter: {
      type: equals('t.type'),
      isActive: equals('t.is_active'),
      moderation: equals('t.moderation'),
      OwnerId: equals('t.owner_id'),
    },
    range: { createdAt: 't.created_at' },
    search: contains('t.title', `t.payload ->> 'text'`),
  };

  constructor(db: Db) {
    super(db, Template, 't');
  }

  protected override one(scope: AccessScope, id: string): SelectQueryBuilder<Template> {
    return super.one(scope, id).addSelect('t.recipient');
  }

  /**
   * The templates that classify the messages of an account: operator templates, then its own approved active templates of other groups
   * than advertising; the oldest of each first.
   */
  grouped(OwnerId: string): Promise<GroupTemplate[]> {
    return this.db.query(
      `(select title, type, "group", text, sender, mccmnc from patterns where owner_id = $1 order by id limit ${MAX_GROUPED})
       union all
       (select title, type, "group", payload ->> 'text', null, null from templates
         where owner_id = $1 and moderation = 'approved' and is_active and "group" <> 'advertising'
           and payload ->> 'text' <> '' order by id limit ${MAX_GROUPED})`,
      [OwnerId],
    );
  }
}
