import { MailServer, type ReceivedMail } from '@heliograph/simulators';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import PostalMime from 'postal-mime';

import { Config } from '../../core/config.ts';
import { Log } from '../../core/log.ts';

/** A simulated mail server inside of a demo installation: what it gets is in the log, as newcomers have no mailbox to look into. */
@Injectable()
export class MailHost implements OnApplicationShutdown {
  private server?: MailServer;

  constructor(
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  /** Listens where the setting says. Nothing else depends on it: its failure is a line of the log. */
  async start(): Promise<void> {
    const { DEMO, SIMULATED_SMTP: url, HOST } = this.config;
    if (!DEMO || !url) return;
    try {
      this.server = new MailServer((mail) => void this.show(mail));
      await this.server.listen(Number(new URL(url).port), HOST);
    } catch (error) {
      this.log.warn({ err: error, url }, 'the simulated mail server does not listen');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close();
  }

  private async show({ to, raw }: ReceivedMail): Promise<void> {
    const mail = await PostalMime.parse(raw).catch(() => undefined);
    this.log.warn(
      { from: mail?.from?.address, to, subject: mail?.subject, text: mail?.text },
      'an e-mail arrived at the simulated mail server',
    );
  }
}
