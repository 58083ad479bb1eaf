import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import type { OwnerRef, templates } from '@heliograph/contract';
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

/** What is kept of the versions before the present one. */
const MAX_VERSIONS = 50;
const MAX_VERSIONS_BYTES = 256 * 1024;
/** Columns that a template and its earlier versions have. */
const KEPT = 'version, type, payload, fallbacks, translations, moderation, author_id, written_at';
/** SQL: what a version `v` of a template says. */
const CONTENT = `v.version, v.type, v.payload, v.fallbacks, v.translations, v.moderation`;
export type TemplateContent = Pick<
  Template,
  'version' | 'type' | 'payload' | 'fallbacks' | 'translations' | 'moderation'
>;
export type VersionRow = TemplateContent & { writtenAt: Date; Author: OwnerRef | null };

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
       (select title, type, "group", said.text, null, null from templates,
               lateral (select payload ->> 'text' union all
                        select x -> 'payload' ->> 'text' from jsonb_array_elements(translations) x) as said(text)
         where owner_id = $1 and moderation = 'approved' and is_active and "group" <> 'advertising'
           and said.text <> '' order by id limit ${MAX_GROUPED})`,
      [OwnerId],
    );
  }

  /** Keeps what a template says before it is rewritten: the last versions, as far as they fit, and the last one in any case. */
  async keep(id: string): Promise<void> {
    await this.db.execute(
      `insert into template_versions (template_id, ${KEPT}) select id, ${KEPT} from templates where id = $1`,
      [id],
    );
    await this.db.execute(
      `with kept as (
         select version, row_number() over latest as n,
                sum(octet_length(payload::text) + octet_length(fallbacks::text) + octet_length(translations::text)) over latest as bytes
           from template_versions where template_id = $1 window latest as (order by version desc))
       delete from template_versions v using kept k
        where v.template_id = $1 and v.version = k.version and k.n > 1 and (k.n > ${MAX_VERSIONS} or k.bytes > ${MAX_VERSIONS_BYTES})`,
      [id],
    );
  }

  /** The version that a template had before; null if it is not kept. */
  async version(id: string, version: number): Promise<TemplateContent | null> {
    const [row] = await this.db.query<TemplateContent>(
      `select ${CONTENT} from template_versions v where template_id = $1 and version = $2`,
      [id, version],
    );
    return row ?? null;
  }

  /** Of a template, with the names of the account's own users. */
  versions(id: string): Promise<VersionRow[]> {
    return this.db.query(
      `select ${CONTENT}, v.written_at as "writtenAt",
              case when u.id is not null then jsonb_build_object('id', u.id, 'username', u.username) end as "Author"
         from (select id, ${KEPT} from templates where id = $1
               union all select template_id, ${KEPT} from template_versions where template_id = $1) v
         join templates t on t.id = v.id
         left join users u on u.id = v.author_id and u.owner_id = t.owner_id
        order by v.version desc`,
      [id],
    );
  }
}
