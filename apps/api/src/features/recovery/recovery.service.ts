import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { normalizeEmail, recoveryLetter, type Locale } from '@heliograph/domain';
import { createHash, randomBytes } from 'node:crypto';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import { hashPassword } from '../../core/auth/passwords.ts';
import { Config } from '../../core/config.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { Log } from '../../core/log.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { AuthService } from '../auth/auth.service.ts';
import { RecoveryStore, type Addressee, type KeyHolder } from './recovery.store.ts';

/** How long a key is good, in seconds. */
export const KEY_SECONDS = 3600;
/** In an hour: letters for a name, letters from an address, keys tried from an address. */
const LIMITS = { name: 5, address: 20, key: 100 };
/** Letters that wait for the mail server at most; beyond them it is down, and nobody gets one. */
const UNDER_WAY = 200;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

@Injectable()
export class RecoveryService implements BeforeApplicationShutdown {
  private readonly byName: RateLimiterRedis;
  private readonly byAddress: RateLimiterRedis;
  private readonly byKey: RateLimiterRedis;
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly db: Db,
    private readonly log: Log,
    private readonly store: RecoveryStore,
    private readonly auth: AuthService,
    private readonly mailer: Mailer,
    private readonly notifications: Notifications,
    limits: RateLimits,
  ) {
    this.byName = limits.of('recovery:name', LIMITS.name, 3600);
    this.byAddress = limits.of('recovery:address', LIMITS.address, 3600);
    this.byKey = limits.of('recovery:key', LIMITS.key, 3600);
  }

  /** Nothing is looked up before the answer: it tells no more by its time than by its words. */
  async request(login: string, locale: Locale, { network }: Visitor): Promise<void> {
    if (!this.mailer.isOn) throw new AppError('unavailable', undefined, { cause: 'mail is off' });
    await take(this.byAddress, network);
    await take(this.byName, login.toLowerCase());
    if (this.underWay.size >= UNDER_WAY) throw new AppError('unavailable');
    setImmediate(() => this.inBackground(this.write(login, locale)));
  }

  async check(key: string, { network }: Visitor): Promise<KeyHolder> {
    await take(this.byKey, network);
    return this.holderOf(key);
  }

  /** Ends every session: whoever had the old password has nothing any more. */
  async reset(key: string, password: string, visitor: Visitor): Promise<KeyHolder> {
    await take(this.byKey, visitor.network);
    const holder = await this.holderOf(key);
    const passwordHash = await hashPassword(password);
    await this.db.transaction(async () => {
      if (!(await this.store.use(hashOf(key)))) throw invalidKey();
      await this.store.setPassword(holder.id, passwordHash);
      await this.auth.endAll(holder.id);
      const { ip } = visitor;
      await this.notifications.tell(holder.OwnerId, 'AuthRecover', { ip });
    });
    await this.auth.forgive(holder.username, visitor);
    return holder;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private async holderOf(key: string): Promise<KeyHolder> {
    const holder = await this.store.find(hashOf(key));
    if (!holder) throw invalidKey();
    return holder;
  }

  private async write(login: string, locale: Locale): Promise<void> {
    for (const addressee of await this.store.addressees(login)) {
      const to = addressOf(addressee);
      if (!to) continue;
      const key = randomBytes(32).toString('base64url');
      await this.store.put(addressee.id, hashOf(key), KEY_SECONDS);
      const letter = recoveryLetter(locale, {
        title: this.config.TITLE,
        username: addressee.username,
        url: `${this.config.publicUrl}/recover/${key}`,
        minutes: KEY_SECONDS / 60,
      });
      await this.mailer.send(to, letter);
    }
  }

  private inBackground(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) =>
        this.log.error({ err: error }, 'a recovery letter was not written'),
      )
      .finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }
}

/** A letter goes where the account says, never where the visitor does. */
const addressOf = ({ email, username }: Addressee): string | null =>
  normalizeEmail(email ?? username);

const invalidKey = () =>
  new AppError('not_found', 'The key is invalid or has expired, ask for another one');
