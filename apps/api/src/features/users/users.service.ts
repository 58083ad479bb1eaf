import { Injectable } from '@nestjs/common';
import type { Registration, users } from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Db, violated } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { uuidv7 } from '../../core/uuid.ts';
import type { User } from './user.entity.ts';
import { UsersStore } from './users.store.ts';

type Changes = In<typeof users.update>['body'];
type Data = NonNullable<Changes['data']>;
type NewAccount = Omit<Registration, 'password'> & { passwordHash: string };

@Injectable()
export class UsersService {
  constructor(
    private readonly db: Db,
    private readonly store: UsersStore,
  ) {}

  /** A new account holder, kept by whom its referral code names. `then` gives it what an account has, in one transaction. */
  async open(account: NewAccount, then: (user: User) => Promise<void>): Promise<{ id: string }> {
    const id = uuidv7();
    const { username, passwordHash } = account;
    const data = merged({}, withPhone(ofRegistration(account)));
    const open = async () => {
      if (await this.store.isTaken(username, id)) throw taken();
      const keepers = await this.store.keepersByCode(data.meta?.usedReferralCode);
      const values = { id, OwnerId: id, username, passwordHash, data, isTest: true, ...keepers };
      await then(await this.store.create(values));
    };
    await this.db.transaction(open).catch(refuse);
    return { id };
  }

  /** What is learnt of where the account came from. */
  note(id: string, meta: NonNullable<User['data']['meta']>): Promise<void> {
    return this.store.note(id, meta);
  }

  /** Money came in: it is a test account no longer. */
  leaveTest(OwnerId: string): Promise<void> {
    return this.store.leaveTest(OwnerId);
  }

  /** Of `data` absent stays and null clears, field by field. */
  update(actor: Actor, id: string, changes: Changes): Promise<User> {
    const data = changes.data && withPhone(changes.data);
    const change = () => this.change(actor, id, { ...changes, data });
    return this.db.transaction(change).catch(refuse);
  }

  private async change(actor: Actor, id: string, changes: Changes): Promise<User> {
    const row = await this.store.lock(actor.reach, id);
    const { username, referralCode, data } = changes;
    // A sub-user shares its holder's reach, not its person.
    if (actor.userId !== actor.OwnerId && id !== actor.userId) throw new AppError('forbidden');
    const asksForCode = referralCode !== undefined && (referralCode || null) !== row.referralCode;
    if (asksForCode && actor.level === 'me') throw new AppError('forbidden');
    if (username && (await this.store.isTaken(username, id))) throw taken();
    return this.store.update(actor.reach, id, {
      username,
      ...(asksForCode && { referralCode: referralCode || null }),
      ...(data && { data: merged(row.data, data) }),
    });
  }
}

/** The e-mail is copied from the username when that is one. */
function ofRegistration({ username, data }: NewAccount): NewAccount['data'] {
  return { ...data, email: data.email || username.toLowerCase() };
}

function withPhone<D extends Data>(data: D): D {
  if (!data.phone) return data;
  const phone = normalizePhone(data.phone);
  if (!phone) throw invalid('data.phone', 'phone', 'not a phone number');
  return { ...data, phone };
}

function merged(before: User['data'], changes: User['data']): User['data'] {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

const taken = () => invalid('username', 'unique', 'this username is taken already');

/** Two who take the same name or code at once meet at the index. */
function refuse(error: unknown): never {
  if (violated(error) === 'users_username') throw taken();
  if (violated(error) === 'users_referral_code')
    throw invalid('referralCode', 'unique', 'this code belongs to another account');
  throw error;
}
