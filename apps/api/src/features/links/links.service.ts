import { Injectable, type OnModuleInit } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { systemScope, type Actor } from '../../core/auth/actor.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { Events } from '../../core/events/events.ts';
import { Quotas } from '../../core/quotas.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { present, type Link } from './link.entity.ts';
import { LinksStore } from './links.store.ts';
import { Shortener } from './shortener.ts';

/** In a minute, for an account. */
const LIMIT = 60;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 62^9 codes: among ten million links one guess in a thousand million finds one. */
const CODE_LENGTH = 9;
const newCode = () =>
  Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

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

  /** A new link each time: that of another sending is counted apart. */
  async create({ OwnerId }: Actor, target: string): Promise<Link> {
    await take(this.limit, OwnerId);
    // As it goes into a header: letters of other scripts are written in ASCII.
    const url = new URL(target).href;
    const place = this.shortener.isThere
      ? { external: await this.shortener.shorten(url) }
      : { code: newCode() };
    return this.db.transaction(async () => {
      const link = await this.store.create({ OwnerId, url, ...place });
      await this.quotas.check('links', OwnerId);
      this.events.changed('links', 'created', OwnerId, link.id);
      return link;
    });
  }

  async remove(actor: Actor, id: string): Promise<{ id: string }> {
    const { OwnerId } = await this.store.remove(actor.scope, id);
    this.events.changed('links', 'removed', OwnerId, id);
    return { id };
  }
}
