import { Injectable } from '@nestjs/common';
import type { users } from '@heliograph/contract';
import { normalizePhone } from '@heliograph/domain';
import type { Actor } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { User } from './user.entity.ts';
import { UsersStore } from './users.store.ts';

type Changes = In<typeof users.update>['body'];
type Data = NonNullable<Changes['data']>;

@Injectable()
export class UsersService {
  constructor(
    private readonly db: Db,
    private readonly store: UsersStore,
  ) {}

  /** Of `data` absent stays and null clears, field by field. */
  async update(actor: Actor, id: string, changes: Changes): Promise<User> {
    const data = changes.data && withPhone(changes.data);
    try {
      return await this.db.transaction(() => this.change(actor, id, { ...changes, data }));
    } catch (error) {
      if (isUsernameTaken(error)) throw taken();
      throw error;
    }
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

function withPhone(data: Data): Data {
  if (!data.phone) return data;
  const phone = normalizePhone(data.phone);
  if (!phone) throw invalid('data.phone', 'phone', 'not a phone number');
  return { ...data, phone };
}

function merged(before: User['data'], changes: Data): User['data'] {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

const taken = () => invalid('username', 'unique', 'this username is taken already');

/** Two who take the same name at once meet at the index. */
function isUsernameTaken(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'users_username';
}
