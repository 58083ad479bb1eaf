import { Injectable } from '@nestjs/common';
import { EFFECTS, type Consent, type signupForms } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { ownScope, requireAll, type Actor } from '../../core/auth/actor.ts';
import { refuseChangesOf } from '../../core/changes.ts';
import { Db } from '../../core/db/db.ts';
import { invalid } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { ContactListsService } from '../contact-lists/contact-lists.service.ts';
import { ContactsService } from '../contacts/contacts.service.ts';
import { audited, type SignupForm } from './signup-form.entity.ts';
import { SIGNUP_FORMS_QUOTA, SignupFormsStore } from './signup-forms.store.ts';
import { SignupsStore } from './signups.store.ts';

/** Forms by which people enter themselves into lists. docs/decisions/193-sign-up-forms.md. */
@Injectable()
export class SignupFormsService {
  constructor(
    private readonly db: Db,
    private readonly store: SignupFormsStore,
    private readonly signups: SignupsStore,
    private readonly lists: ContactListsService,
    private readonly contacts: ContactsService,
    private readonly quotas: Quotas,
    private readonly audit: Audit,
  ) {}

  create(actor: Actor, input: In<typeof signupForms.create>['body']): Promise<SignupForm> {
    requireEffects(actor);
    const { OwnerId, tokenId: TokenId } = actor;
    return this.db.transaction(async () => {
      await this.requireList(OwnerId, input.ListId);
      const { id } = await this.store.create({ ...input, OwnerId, TokenId });
      await this.quotas.check(SIGNUP_FORMS_QUOTA, OwnerId);
      const row = await this.store.get(ownScope(OwnerId), id);
      await this.audit.record({ OwnerId, target: ['signupForms', id], after: audited(row) });
      return row;
    });
  }

  update(
    actor: Actor,
    id: string,
    { type, ...changes }: In<typeof signupForms.update>['body'],
  ): Promise<SignupForm> {
    requireEffects(actor);
    return this.db.transaction(async () => {
      const locked = await this.store.lock(actor.scope, id);
      refuseChangesOf(locked, { type });
      const before = audited(locked);
      const { OwnerId } = locked;
      if (changes.ListId) await this.requireList(OwnerId, changes.ListId);
      const row = await this.store.replace(locked, { ...changes, TokenId: actor.tokenId });
      await this.audit.record({
        OwnerId,
        target: ['signupForms', id],
        before,
        after: audited(row),
      });
      return row;
    });
  }

  remove(actor: Actor, id: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const row = await this.store.remove(actor.scope, id);
      const { OwnerId } = row;
      await this.audit.record({ OwnerId, target: ['signupForms', id], before: audited(row) });
      return { id };
    });
  }

  /** What the person of a contact has agreed to. */
  async consents(actor: Actor, contactId: string): Promise<Consent[]> {
    const { phone, email, OwnerId } = await this.contacts.person(actor, contactId);
    return this.signups.consentsOf(
      OwnerId,
      [phone, email].filter((one) => one !== null),
    );
  }

  private async requireList(OwnerId: string, ListId: string): Promise<void> {
    const { type } = await this.lists.get(ownScope(OwnerId), ListId);
    if (type !== 'regular')
      throw invalid('ListId', 'invalid_value', 'A blacklist takes nobody who signs up.');
  }
}

/** Who has a form send messages and add contacts is allowed to do both. */
const requireEffects = (actor: Actor): void =>
  requireAll(actor, [...EFFECTS.signupForm.message, ...EFFECTS.signupForm.contact]);
