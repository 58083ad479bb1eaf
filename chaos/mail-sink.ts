import { MailServer, type ReceivedMail } from '@heliograph/simulators';
import type { Address } from './cluster.ts';

/** Where mail that cannot be delivered returns. */
export const BOUNCE_DOMAIN = 'back.example';
export const BOUNCE_SECRET = 'a-secret-of-chaos-bounces';
/** The channel of the mail server. */
export const MAIL = 'mail';

/** A mail as the mail server took it: with its number there, and what it says of the message. */
export interface Delivered {
  queueId: string;
  to: string;
  returnPath: string;
  messageId: string;
}

/**
 * All mailboxes of the world behind the mail server. They live in the process of the test and outlive all faults, so what they got is certain.
 * Mail that returns goes on to the callbacks of the channel, and is taken when the product has it.
 */
export class MailSink {
  readonly delivered: Delivered[] = [];
  /** By the address that it returned to, how often the product took it. */
  readonly returned = new Map<string, number>();
  private apis: string[] = [];
  private readonly server: MailServer;

  constructor() {
    this.server = new MailServer((mail) => this.take(mail));
  }

  async open(): Promise<string> {
    return `127.0.0.1:${await this.server.listen(0, '127.0.0.1')}`;
  }

  /** Forgets what came before. */
  begin({ apis }: Address): void {
    this.apis = apis;
    this.delivered.length = 0;
    this.returned.clear();
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private async take({ to, from, raw }: ReceivedMail): Promise<void> {
    if (to.endsWith(`@${BOUNCE_DOMAIN}`)) return this.giveBack(to, raw);
    const [head] = raw.toString('latin1').split('\r\n\r\n', 1);
    this.delivered.push({
      queueId: /\(Postfix\) with E?SMTP id (\w+)/.exec(head!)?.[1] ?? '',
      to,
      returnPath: from,
      messageId: /^Message-ID:\s+<([^>]+)>/im.exec(head!)?.[1] ?? '',
    });
  }

  private async giveBack(to: string, raw: Buffer): Promise<void> {
    const api = this.apis[Math.floor(Math.random() * this.apis.length)]!;
    const answer = await fetch(`${api}/api/callbacks/${MAIL}`, {
      method: 'POST',
      headers: {
        'content-type': 'message/rfc822',
        authorization: `Bearer ${BOUNCE_SECRET}`,
      },
      body: new Uint8Array(raw),
      signal: AbortSignal.timeout(8000),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the callback answered ${answer.status}`);
    this.returned.set(to, (this.returned.get(to) ?? 0) + 1);
  }
}
