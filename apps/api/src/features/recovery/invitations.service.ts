import { Injectable } from '@nestjs/common';
import type { Invitation } from '@heliograph/contract';
import { invitationEmail, normalizeEmail, type Locale } from '@heliograph/domain';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { BrandsService } from '../brands/brands.service.ts';
import type { User } from '../users/users.service.ts';
import { RecoveryStore } from './recovery.store.ts';

/** Who is invited. */
type Invited = Pick<User, 'id' | 'username' | 'data'>;

const DAYS = 7;
const DAY_SECONDS = 86_400;

/** Links with which new users choose their passwords: keys as of the recovery, which live longer. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly db: Db,
    private readonly store: RecoveryStore,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly brands: BrandsService,
    private readonly clock: Clock,
  ) {}

  /** Marks a new user as invited, and invites it. In the caller's transaction; the e-mail is sent after the commit. */
  async inviteNew(user: Invited, locale: Locale): Promise<Invitation> {
    await this.store.setInvited(user.id);
    return this.send(user, locale);
  }

  /** Replaces the link. Who has chosen a password asks for another one itself. */
  async inviteAgain(user: Invited, locale: Locale): Promise<Invitation> {
    if (!(await this.store.isInvited(user.id)))
      throw new AppError('conflict', 'The user has already chosen a password');
    return this.send(user, locale);
  }

  private async send({ id, username, data }: Invited, locale: Locale): Promise<Invitation> {
    const email = this.mailer.isEnabled ? normalizeEmail(data.email ?? '') : null;
    if (email) this.mailer.assertReady();
    const seconds = DAYS * DAY_SECONDS;
    const key = await this.store.keys.put(id, seconds, { isEmailed: email !== null });
    const { title, sender, url: site } = await this.brands.ofUser(id);
    const url = `${site}/recover/${key}`;
    const expiresAt = new Date(this.clock.now().getTime() + seconds * 1000).toISOString();
    if (!email) return { email: null, url, expiresAt };
    const language = await this.locales.of(id, locale);
    const letter = { title, username, url, days: DAYS };
    const message = invitationEmail(language, letter);
    this.db.afterCommit(() =>
      this.mailer.inBackground(() => this.mailer.send(email, message, sender)),
    );
    return { email, url: null, expiresAt };
  }
}
