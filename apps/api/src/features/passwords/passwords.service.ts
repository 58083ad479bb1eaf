import { Injectable } from '@nestjs/common';
import type { passwords, Session } from '@heliograph/contract';
import { normalizeEmail, passwordChangedEmail, type Locale } from '@heliograph/domain';
import { refuseImpersonated, type Actor } from '../../core/auth/actor.ts';
import { Audit } from '../../core/audit/audit.ts';
import { PasswordPolicy } from '../../core/auth/password-policy.ts';
import { Db } from '../../core/db/db.ts';
import { AppError, invalid, notFound } from '../../core/errors.ts';
import type { In } from '../../core/http/endpoint.ts';
import type { Visitor } from '../../core/http/visitor.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { AuthService } from '../auth/auth.service.ts';
import { BrandsService, type AppliedBrand } from '../brands/brands.service.ts';
import { UsersService } from '../users/users.service.ts';
import { PasswordsStore } from './passwords.store.ts';

type Change = Omit<In<typeof passwords.change>['body'], 'locale'>;

/** The change of one's own password, proved by the former one. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly brands: BrandsService,
    private readonly db: Db,
    private readonly store: PasswordsStore,
    private readonly auth: AuthService,
    private readonly users: UsersService,
    private readonly policy: PasswordPolicy,
    private readonly audit: Audit,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly notifications: Notifications,
  ) {}

  /** Ends all sessions of the user and returns the successor of the actor's. */
  async change(
    actor: Actor,
    { userId, passwords: { oldPassword, newPassword } }: Change,
    { locale, visitor }: { locale: Locale; visitor: Visitor },
  ): Promise<Session> {
    refuseImpersonated(actor);
    if (userId !== actor.userId) throw notFound();
    const formerHash = await this.auth.verifyOwnPassword(
      actor,
      oldPassword,
      visitor,
      'passwords.oldPassword',
    );
    if (newPassword === oldPassword)
      throw invalid(NEW, 'unchanged', 'The new password must differ from the old one.');
    const passwordHash = await this.policy.hash(newPassword, actor.username, NEW);
    return this.db.transaction(async () => {
      const user = await this.store.replace(userId, formerHash, passwordHash);
      // Another request changed the password meanwhile.
      if (!user) throw new AppError('session_ended');
      const session = await this.auth.replaceAll(actor, visitor);
      // They may have been requested by an intruder.
      await this.users.cancelChanges(userId);
      await this.store.deleteRecoveryKeys(userId);
      const { ip } = visitor;
      const { OwnerId, username } = actor;
      await this.notifications.notify(OwnerId, 'AuthPassword', { username, ip }, userId);
      await this.audit.record({ target: ['users', userId] });
      const language = await this.locales.of(userId, locale);
      const brand = await this.brands.ofUser(userId);
      this.notify(brand, normalizeEmail(user.email ?? username), language, { username, ip });
      return session;
    });
  }

  private notify(
    { title, url, sender }: AppliedBrand,
    to: string | null,
    locale: Locale,
    facts: { username: string; ip: string },
  ): void {
    if (!to || !this.mailer.isEnabled) return;
    const email = passwordChangedEmail(locale, {
      title,
      ...facts,
      url: `${url}/recover`,
    });
    this.db.afterCommit(() => this.mailer.inBackground(() => this.mailer.send(to, email, sender)));
  }
}

const NEW = 'passwords.newPassword';
