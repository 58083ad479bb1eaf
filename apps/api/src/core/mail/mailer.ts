import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EmailMessage } from '@heliograph/domain';
import { mailAddressOf } from '@heliograph/contract';
import { createTransport, type Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { Outbound } from '../http/outbound.ts';
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
  /** The connections to the mail server, and the settings that they were made by. */
  private opened: { by: string; smtp: Transporter<SMTPPool.SentMessageInfo> } | undefined;
  private readonly outbound: Outbound;
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {
    this.outbound = new Outbound(config.CHANNEL_ALLOWED_HOSTS, 'CHANNEL_ALLOWED_HOSTS');
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
    const deliver = () => this.submit(to, email, { attachments, sender });
    await deliver().catch(async (error: unknown) => {
      if (isFinal(error)) throw error;
      await sleep(RETRY_MS);
      return deliver();
    });
  }

  /** One attempt, for who waits for it: the answer of the mail server, null if e-mails are written to the log. Throws what went wrong. */
  async submit(
    to: string,
    email: EmailMessage,
    { attachments = [], sender = null }: Extras = {},
  ): Promise<string | null> {
    const { smtp } = this;
    if (!smtp) {
      this.write(to, email);
      return null;
    }
    const { response } = await smtp.sendMail({
      ...(sender && { from: { name: sender, address: mailAddressOf(this.config.MAIL_FROM!) } }),
      to: { name: '', address: to },
      subject: email.subject,
      text: emailText(email),
      html: emailHtml(email),
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments,
    });
    return response;
  }

  /** Waits until what was begun in the background is sent or given up. */
  async settled(): Promise<void> {
    while (this.pending.size) await Promise.all(this.pending);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.settled();
    this.opened?.smtp.close();
  }

  /** By the settings that apply now. What waits for the connections of former ones is tried again. */
  private get smtp(): Transporter<SMTPPool.SentMessageInfo> | undefined {
    const { mail, SMTP_URL, SMTP_PASSWORD, MAIL_FROM } = this.config;
    const by = JSON.stringify([mail, SMTP_URL, SMTP_PASSWORD, MAIL_FROM]);
    if (this.opened?.by === by) return this.opened.smtp;
    this.opened?.smtp.close();
    this.opened = undefined;
    if (mail !== 'smtp') return undefined;
    const url = new URL(SMTP_URL!);
    if (SMTP_PASSWORD) url.password = SMTP_PASSWORD;
    const timeouts = {
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
    };
    const smtp = createTransport(
      { url: url.href, ...timeouts, ...this.guardOf(url), pool: true, maxConnections: 2 },
      { from: MAIL_FROM },
    );
    this.opened = { by, smtp };
    return smtp;
  }

  /** A server of the environment is the operator's; one of the cabinet may only be in the public internet, or on the list. */
  private guardOf(url: URL): Pick<SMTPPool.Options, 'getSocket'> {
    if (this.config.given.has('SMTP_URL')) return {};
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587);
    return {
      getSocket: (_options, done) => {
        this.outbound.connect(host, port, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
          (connection) => done(null, { connection: connection as Socket }),
          (error: Error) => done(error, false),
        );
      },
    };
  }

  private write(to: string, email: EmailMessage): void {
    if (!this.isEnabled) return;
    this.log.warn({ to, subject: email.subject, text: emailText(email) }, 'e-mail');
  }
}

/** A permanent failure of the mail server. */
const isFinal = (error: unknown) =>
  Number((error as { responseCode?: number }).responseCode) >= 500;

/** Only codes, since the message of a transport error may quote the e-mail. */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = error as Record<string, string | number | undefined>;
  return [code, responseCode, command].filter(Boolean).join(' ') || (error as Error).name;
}
