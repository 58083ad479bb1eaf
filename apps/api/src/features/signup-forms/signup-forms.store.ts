import { Injectable } from '@nestjs/common';
import type { signupForms } from '@heliograph/contract';
import { isActiveSql } from '../../core/auth/actor.ts';
import { Db } from '../../core/db/db.ts';
import { contains, equals, type ListSql } from '../../core/db/find-page.ts';
import { Store } from '../../core/db/store.ts';
import type { In } from '../../core/http/endpoint.ts';
import { countOf, type Quota } from '../../core/quotas.ts';
import { SignupForm } from './signup-form.entity.ts';

type Query = In<typeof signupForms.find>['query'];

export const SIGNUP_FORMS_QUOTA: Quota = {
  name: 'signupForms',
  limit: (config) => config.QUOTA_LISTS,
  used: countOf('signup_forms'),
};

@Injectable()
export class SignupFormsStore extends Store<SignupForm, Query> {
  protected readonly list: ListSql<Query> = {
    order: { createdAt: 'f.createdAt', title: 'f.title' },
    filter: { OwnerId: equals('f.owner_id') },
    range: { createdAt: 'f.created_at' },
    search: contains('f.title'),
  };

  constructor(db: Db) {
    super(db, SignupForm, 'f');
  }

  /** A form with a list, of an account that is active. Public, so there is no access scope. */
  async open(id: string): Promise<SignupForm | undefined> {
    const row = await this.db.manager
      .getRepository(SignupForm)
      .createQueryBuilder('f')
      .innerJoin('users', 'u', 'u.id = f.owner_id')
      .where('f.id = :id and f.list_id is not null', { id })
      .andWhere(isActiveSql('u'))
      .getOne();
    return row ?? undefined;
  }

  /** Switches a form off, unless it has been changed since. False if it was off. */
  async stop({ id, TokenId }: Pick<SignupForm, 'id' | 'TokenId'>): Promise<boolean> {
    const stopped = await this.db.execute(
      `update signup_forms set is_active = false, updated_at = now() where id = $1 and token_id = $2 and is_active`,
      [id, TokenId],
    );
    return stopped > 0;
  }

  /** Of a locked row; its lists of fields are replaced, which `update` would merge. */
  replace(locked: SignupForm, changes: Partial<SignupForm>): Promise<SignupForm> {
    return this.db.manager.getRepository(SignupForm).save(Object.assign(locked, changes));
  }

  async count(id: string, counter: 'asked' | 'confirmed'): Promise<void> {
    await this.db.query(`update signup_forms set ${counter} = ${counter} + 1 where id = $1`, [id]);
  }
}
