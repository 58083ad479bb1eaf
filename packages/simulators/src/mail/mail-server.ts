import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

/** A mail as it came in. */
export interface ReceivedMail {
  from: string;
  to: string;
  raw: Buffer;
}

const MAX_BYTES = 1024 * 1024;
const MAX_CLIENTS = 50;

/** Mailboxes that do not take mail, by the part before the `@`, and before a `+` in it. */
const REFUSALS: Record<string, [code: number, text: string]> = {
  nobody: [550, '5.1.1 There is no such user'],
  full: [552, '5.2.2 The mailbox is full'],
  later: [451, '4.3.0 Try again later'],
  spam: [554, '5.7.1 This looks like spam'],
};

/** A mail server that takes all mail and delivers none: it hands it to `onMail`, and takes a mail only when that has resolved. */
export class MailServer {
  private readonly server: SMTPServer;

  constructor(onMail: (mail: ReceivedMail) => void | Promise<void>) {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      size: MAX_BYTES,
      maxClients: MAX_CLIENTS,
      onRcptTo: ({ address }, _session, done) => {
        const refusal = refusalOf(address);
        done(refusal && replyOf(...refusal));
      },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        let size = 0;
        stream.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= MAX_BYTES) chunks.push(chunk);
        });
        stream.on('end', () => {
          if (size > MAX_BYTES) return done(replyOf(552, '5.3.4 The mail is too large'));
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          const raw = Buffer.concat(chunks);
          const handed = envelope.rcptTo.map(async ({ address }) =>
            onMail({ from, to: address, raw }),
          );
          Promise.all(handed).then(
            () => done(),
            () => done(replyOf(...REFUSALS.later!)),
          );
        });
      },
    });
    // A client that breaks a connection is its own matter.
    this.server.on('error', () => undefined);
  }

  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.server.once('error', reject);
    this.server.listen(port, host, () =>
      resolve((this.server.server.address() as AddressInfo).port),
    );
    return promise;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

const refusalOf = (address: string): [number, string] | undefined => {
  const mailbox = address.slice(0, address.search(/[+@]/)).toLowerCase();
  return Object.hasOwn(REFUSALS, mailbox) ? REFUSALS[mailbox] : undefined;
};

const replyOf = (responseCode: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode });
