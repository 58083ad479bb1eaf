import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EmailMessage } from '@heliograph/domain';
import { createTransport, type Transporter } from 'nodemailer';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { Log } from '../log.ts';
import { emailHtml, emailText } from './email-body.ts';

const TIMEOUT_MS = 15_000;
const RETRY_MS = 2000;
/** E-mails in progress. Beyond them the mail server is considered down. */
const MAX_PENDING = 200;

export interface Attachment {
  filename: string;
  content: Buffer;
}

interface Extras {
  attachments?: Attachment[];
  /** The name that is shown as the sender, whose address is that of the installation. */
  sender?: string | null;
}

/** Sends e-mails over SMTP, or writes them to the log for trials (`MAIL_TRANSPORT=log`). */
@Injectable()
export class Mailer implements BeforeApplicationShutdown {
  private readonly smtp?: Transporter;
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {
    if (config.mail !== 'smtp') return;
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS };
    const options = { url: config.SMTP_URL!, ...timeouts, socketTimeout: TIMEOUT_MS };
    this.smtp = createTransport(
      { ...options, pool: true, maxConnections: 2 },
      { from: config.MAIL_FROM },
    );
  }

  get isEnabled(): boolean {
    return this.config.mail !== 'off';
  }

  /** Throws if e-mail is not configured, or if too many e-mails wait for the mail server. */
  assertReady(): void {
    if (!this.isEnabled) throw new AppError('mail_off');
    if (this.pending.size >= MAX_PENDING) throw new AppError('unavailable');
  }

  /** Runs `work` after the response, so that its duration reveals nothing to the client. */
  inBackground(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => this.log.error({ err: error }, 'failed to prepare an e-mail'))
      .finally(() => this.pending.delete(done));
    this.pending.add(done);
  }

  /** Retries once after a temporary failure. The log does not contain the e-mail. `sender`: the name that is shown, if not that of `MAIL_FROM`. */
  async send(to: string, email: EmailMessage, sender: string | null = null): Promise<void> {
    try {
      await this.deliver(to, email, { sender });
    } catch (error) {
      this.log.error({ reason: reasonOf(error) }, 'failed to send an e-mail');
    }
  }

  /** The same, for callers that repeat what failed: throws instead of writing to the log. */
  async deliver(
    to: string,
    email: EmailMessage,
    { attachments = [], sender = null }: Extras = {},
  ): Promise<void> {
    if (!this.smtp) return this.write(to, email);
    const message = {
      ...(sender && { from: { name: sender, address: addressOf(this.config.MAIL_FROM!) } }),
      to: { name: '', address: to },
      subject: email.subject,
      text: emailText(email),
      html: emailHtml(email),
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments,
    };
    await this.smtp.sendMail(message).catch(async (error: unknown) => {
      if (isFinal(error)) throw error;
      await sleep(RETRY_MS);
      return this.smtp!.sendMail(message);
    });
  }

  /** Waits until what was begun in the background is sent or given up. */
  async settled(): Promise<void> {
    while (this.pending.size) await Promise.all(this.pending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
    this.smtp?.close();
  }

  private write(to: string, email: EmailMessage): void {
    if (!this.isEnabled) return;
    this.log.warn({ to, subject: email.subject, text: emailText(email) }, 'e-mail');
  }
}

/** The address of `Name <address>`. */
function addressOf(from: string): string {
  const start = from.lastIndexOf('<');
  return start < 0
    ? from.trim()
    : from
        .slice(start + 1)
        .replace('>', '')
        .trim();
}

/** A permanent failure of the mail server. */
const isFinal = (error: unknown) =>
  Number((error as { responseCode?: number }).responseCode) >= 500;

/** Only codes, since the message of a transport error may quote the e-mail. */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = error as Record<string, string | number | undefined>;
  return [code, responseCode, command].filter(Boolean).join(' ') || (error as Error).name;
}
