import { Injectable } from '@nestjs/common';
import {
  normalizeEmail,
  placeText,
  securityEmail,
  type KnownPlace,
  type Locale,
  type SecurityNotificationType,
} from '@heliograph/domain';
import type { Request } from 'express';
import { Clock } from '../../core/clock.ts';
import { Db } from '../../core/db/db.ts';
import { localeOf, visitorOf, type Visitor } from '../../core/http/visitor.ts';
import { EmailLocalesStore } from '../../core/mail/email-locales.store.ts';
import { Mailer } from '../../core/mail/mailer.ts';
import { Notifications } from '../../core/notifications.ts';
import { BrandsService } from '../brands/brands.service.ts';
import { AuthStore } from './auth.store.ts';
import { clientOf, clientText } from '../../core/http/user-agent.ts';

/** The client of a request and the locale of the e-mails. */
export interface From {
  visitor: Visitor;
  locale: Locale;
}

export const fromOf = (request: Request): From => ({
  visitor: visitorOf(request),
  locale: localeOf(request),
});

interface Details {
  /** Recovery codes that are left. */
  left?: number;
  /** Place of the sign-in. */
  place?: KnownPlace;
  /** Username of the manager. */
  by?: string;
  /** Title of a passkey. */
  passkey?: string;
  /** An identity, and the title of its provider. */
  identity?: string;
  provider?: string;
}

/** Notifies a user of changes of its sign-in, by a notification and by e-mail. */
@Injectable()
export class SecurityNotifications {
  constructor(
    private readonly db: Db,
    private readonly store: AuthStore,
    private readonly notifications: Notifications,
    private readonly mailer: Mailer,
    private readonly locales: EmailLocalesStore,
    private readonly brands: BrandsService,
    private readonly clock: Clock,
  ) {}

  /** Part of the caller's transaction; the e-mail is sent after the commit. */
  async notify(
    userId: string,
    type: SecurityNotificationType,
    { visitor, locale }: From,
    { place, ...others }: Details = {},
  ): Promise<void> {
    const language = await this.locales.of(userId, locale);
    const details = { ...others, ...(place && { place: placeText(language, place) }) };
    const { OwnerId, username, email } = await this.store.addressee(userId);
    const device = clientText(clientOf(visitor.useragent));
    // A manager's address and device are not shown to its customers.
    const client = details.by ? {} : { device: device ?? undefined, ip: visitor.ip };
    await this.notifications.notify(OwnerId, type, { username, ...client, ...details }, userId);
    const to = normalizeEmail(email ?? username);
    if (!to || !this.mailer.isEnabled) return;
    const { title, url, sender } = await this.brands.ofUser(userId);
    const message = securityEmail(language, type, {
      title,
      username,
      ...client,
      ...details,
      time: `${this.clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      url: `${url}/account/telemetry`,
      passwordUrl: `${url}/recover`,
    });
    this.db.afterCommit(() =>
      this.mailer.inBackground(() => this.mailer.send(to, message, sender)),
    );
  }
}
