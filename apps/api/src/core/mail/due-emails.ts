import { Injectable } from '@nestjs/common';
import { Clock, secondsAfter } from '../clock.ts';
import { Db } from '../db/db.ts';
import { Log } from '../log.ts';
import { DueEmailsStore, type EmailTable } from './due-emails.store.ts';

/** How long a worker has for one e-mail before another one sends it. */
const LEASE_SECONDS = 120;
/** Before the next attempt, by the number of failed ones: 17 hours in all. */
const RETRY_SECONDS = [30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 18_000] as const;

interface Sender {
  deliver: (id: string) => Promise<void>;
  /** In the transaction that ends the attempt, unless another request has replaced it. */
  record?: (id: string, isSent: boolean) => Promise<void>;
}

/**
 * Sends e-mails that wait in tables of features, and sends again what the mail server refuses. At least once: a worker that is killed
 * between sending and recording leaves an e-mail that is sent again.
 */
@Injectable()
export class DueEmails {
  constructor(
    private readonly db: Db,
    private readonly store: DueEmailsStore,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Makes one attempt for the e-mail that is due first; false if none is. */
  async sendNext(emails: EmailTable, { deliver, record }: Sender): Promise<boolean> {
    const now = this.clock.now();
    const claimed = await this.store.claim(emails, now, secondsAfter(now, LEASE_SECONDS));
    if (!claimed) return false;
    const { id, tries } = claimed;
    const isSent = await deliver(id).then(
      () => true,
      (error: unknown) => {
        const reason = (error as Error).name;
        this.log.warn({ table: emails.table, id, tries, reason }, 'e-mail not sent');
        return false;
      },
    );
    await this.db.transaction(async () => {
      const wait = isSent ? undefined : RETRY_SECONDS[tries - 1];
      const next = wait === undefined ? null : secondsAfter(this.clock.now(), wait);
      if (await this.store.finish(emails, claimed, next)) await record?.(id, isSent);
    });
    return true;
  }
}
