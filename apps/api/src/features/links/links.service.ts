import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Link as Wire } from '@heliograph/contract';
import { BASE62 } from '@heliograph/domain';
import { randomInt } from 'node:crypto';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Quotas } from '../../core/quotas.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { present, type Link } from './link.entity.ts';
import { LINKS_QUOTA, LinksStore } from './links.store.ts';
import { Shortener } from './shortener.ts';

const MAX_LINKS_IN_TEXT = 100;
/** Links per minute and account. */
const LIMIT = 60;
/** 62^9 codes: with ten million links one guess in a billion finds one. */
const CODE_LENGTH = 9;
const newCode = () =>
  Array.from({ length: CODE_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');

@Injectable()
export class LinksService implements OnModuleInit {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly db: Db,
    private readonly quotas: Quotas,
    private readonly store: LinksStore,
    private readonly shortener: Shortener,
    private readonly events: Events,
    private readonly config: Config,
    limits: RateLimits,
  ) {
    this.limit = limits.of('links', LIMIT, 60);
  }

  onModuleInit(): void {
    const load = (ids: string[]) => this.store.byIds(systemScope, ids);
    this.events.present('links', load, (row) => present(row, this.config.linksUrl));
  }

  /** Always creates a new link, so that the clicks of sendings are counted separately. */
  async create({ OwnerId }: Actor, target: string): Promise<Link> {
    await take(this.limit, OwnerId);
    // Normalised to ASCII for the Location header.
    const url = new URL(target).href;
    const place = this.shortener.isConfigured
      ? { external: await this.shortener.shorten(url) }
      : { code: newCode() };
    return this.db.transaction(async () => {
      const link = await this.store.create({ OwnerId, url, ...place });
      await this.quotas.check(LINKS_QUOTA, OwnerId);
      this.events.changed('links', 'created', OwnerId, link.id);
      return link;
    });
  }

  /** The links within reach whose short URLs are in a text; those that another service serves have no clicks and are left out. */
  async inText({ scope }: Pick<Actor, 'scope'>, text: string): Promise<Wire[]> {
    const base = this.config.linksUrl;
    const codes = text
      .split(`${base}/`, MAX_LINKS_IN_TEXT + 1)
      .slice(1)
      .flatMap((rest) => /^[A-Za-z0-9]{1,32}/.exec(rest)?.[0] ?? []);
    const rows = codes.length ? await this.store.byCodes(scope, codes) : [];
    return rows.map((row) => present(row, base));
  }

  async remove(actor: Actor, id: string): Promise<{ id: string }> {
    const { OwnerId } = await this.store.remove(actor.scope, id);
    this.events.changed('links', 'removed', OwnerId, id);
    return { id };
  }
}
