import { Injectable } from '@nestjs/common';
import { grantsSql, isActiveSql, type Holder } from '../../core/auth/actor.ts';
import { requiredProvidersSql } from '../../core/auth/required-provider.ts';
import { Db } from '../../core/db/db.ts';

export interface UserLogin extends Holder {
  username: string;
  passwordHash: string;
  hasSecondFactor: boolean;
  /** Whether it signs in through an identity provider alone. */
  needsIdentity: boolean;
}

const COLUMNS = `u.id as "userId", u.username, u.owner_id as "OwnerId", u.level, ${grantsSql('u')} as grants, u.role, u.password_hash as "passwordHash",
  exists (select 1 from second_factors x where x.user_id = u.id and x.enabled_at is not null) as "hasSecondFactor",
  exists (select 1 from ${requiredProvidersSql('u')}) as "needsIdentity"`;

@Injectable()
export class LoginsStore {
  constructor(private readonly db: Db) {}

  async byUsername(username: string): Promise<UserLogin | undefined> {
    const [row] = await this.db.query<UserLogin>(
      `select ${COLUMNS} from users u where lower(u.username) = lower($1) and ${isActiveSql('u')}`,
      [username],
    );
    return row;
  }

  byIds(ids: string[]): Promise<UserLogin[]> {
    return this.db.query<UserLogin>(
      `select ${COLUMNS} from users u where u.id = any($1) and ${isActiveSql('u')}`,
      [ids],
    );
  }
}
