import { Injectable } from '@nestjs/common';
import type { AccountNote, accountNotes, Page } from '@heliograph/contract';
import { Audit } from '../../core/audit/audit.ts';
import { personOf, type Actor } from '../../core/auth/actor.ts';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import { Quotas } from '../../core/quotas.ts';
import { UsersService } from '../users/users.service.ts';
import { AccountNotesStore, NOTES_QUOTA, type NoteRow } from './account-notes.store.ts';

/**
 * Notes about an account, for those who run it. Nothing of them reaches the account: no event, no notification, and their audit
 * records are of the account in which they were written.
 */
@Injectable()
export class AccountNotesService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly store: AccountNotesStore,
    private readonly users: UsersService,
    private readonly quotas: Quotas,
    private readonly audit: Audit,
  ) {}

  async find(
    actor: Actor,
    id: string,
    query: In<typeof accountNotes.find>['query'],
  ): Promise<Page<AccountNote>> {
    const page = await this.store.find(actor, await this.account(actor, id), query);
    return { ...page, data: page.data.map((row) => present(actor, row)) };
  }

  create(actor: Actor, id: string, text: string): Promise<AccountNote> {
    return this.db.transaction(async () => {
      const account = await this.account(actor, id);
      const author = { id: personOf(actor), OwnerId: actor.OwnerId };
      const note = await this.store.create(account, author, text);
      await this.quotas.check(NOTES_QUOTA, account);
      await this.record(actor, account, note);
      return present(actor, await this.note(actor, account, note));
    });
  }

  update(actor: Actor, id: string, noteId: string, text: string): Promise<AccountNote> {
    return this.db.transaction(async () => {
      const account = await this.account(actor, id);
      const note = await this.note(actor, account, noteId);
      if (!isOwn(actor, note)) throw new AppError('forbidden', 'A note is changed by its author');
      await this.store.update(noteId, text, this.clock.now());
      await this.record(actor, account, noteId);
      return present(actor, await this.note(actor, account, noteId));
    });
  }

  remove(actor: Actor, id: string, noteId: string): Promise<{ id: string }> {
    return this.db.transaction(async () => {
      const account = await this.account(actor, id);
      const note = await this.note(actor, account, noteId);
      if (!mayRemove(actor, note))
        throw new AppError('forbidden', 'A note is removed by its author or an administrator');
      await this.store.remove(noteId);
      await this.record(actor, account, noteId);
      return { id: noteId };
    });
  }

  /** One that the actor runs. Members of a team have no notes of their own. */
  private async account(actor: Actor, id: string): Promise<string> {
    const user = await this.users.administered(actor, id);
    if (user.OwnerId !== id)
      throw new AppError('conflict', 'Notes are about accounts: take the account holder');
    return id;
  }

  private async note(actor: Actor, account: string, id: string): Promise<NoteRow> {
    const note = await this.store.lock(actor, account, id);
    if (!note) throw notFound();
    return note;
  }

  /** Without the text, which leaves with the note. */
  private record({ OwnerId }: Actor, account: string, id: string): Promise<void> {
    return this.audit.record({ OwnerId, target: ['account_notes', id], after: { account } });
  }
}

const isOwn = (actor: Actor, { Author }: NoteRow): boolean => Author.id === personOf(actor);

const mayRemove = (actor: Actor, note: NoteRow): boolean =>
  isOwn(actor, note) || actor.scope.kind === 'all';

const present = (actor: Actor, note: NoteRow): AccountNote => ({
  id: note.id,
  text: note.text,
  Author: note.Author,
  isOwn: isOwn(actor, note),
  mayRemove: mayRemove(actor, note),
  createdAt: note.createdAt.toISOString(),
  changedAt: note.changedAt?.toISOString() ?? null,
});
