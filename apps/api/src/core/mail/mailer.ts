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
/** Letters that wait for the mail server at most; beyond them it is down, and nobody gets one. */
const UNDER_WAY = 200;

/** Letters to people, over SMTP, or into the log where one looks at a trial. */
@Injectable()
export class Mailer implements BeforeApplicationShutdown {
  private readonly smtp?: Transporter;
  private readonly underWay = new Set<Promise<void>>();

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

  get isOn(): boolean {
    return this.config.mail !== 'off';
  }

  /** Refuses where no letter would come: the installation sends none, or the mail server has been away for too long. */
  assertReady(): void {
    if (!this.isOn) throw new AppError('mail_off');
    if (this.underWay.size >= UNDER_WAY) throw new AppError('unavailable');
  }

  /** What writes and sends letters, after the answer: a caller learns nothing from how long it takes. */
  inBackground(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error: unknown) => this.log.error({ err: error }, 'a letter was not written'))
      .finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  /** Tries once more when the server is away. What fails then is logged, without what the letter says. */
  async send(to: string, letter: EmailMessage): Promise<void> {
    if (!this.smtp) return this.write(to, letter);
    const message = {
      to: { name: '', address: to },
      subject: letter.subject,
      text: emailText(letter),
      html: emailHtml(letter),
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    try {
      await this.smtp.sendMail(message).catch(async (error: unknown) => {
        if (isFinal(error)) throw error;
        await sleep(RETRY_MS);
        return this.smtp!.sendMail(message);
      });
    } catch (error) {
      this.log.error({ reason: reasonOf(error) }, 'a letter was not sent');
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.underWay);
    this.smtp?.close();
  }

  private write(to: string, letter: EmailMessage): void {
    if (!this.isOn) return;
    this.log.warn({ to, subject: letter.subject, text: emailText(letter) }, 'letter');
  }
}

/** The server has understood and does not want it. */
const isFinal = (error: unknown) =>
  Number((error as { responseCode?: number }).responseCode) >= 500;

/** An error of a transport may quote what it was to send. */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = error as Record<string, string | number | undefined>;
  return [code, responseCode, command].filter(Boolean).join(' ') || (error as Error).name;
}
