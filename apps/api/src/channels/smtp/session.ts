import { Readable } from 'node:stream';

import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

import { AddressRefused, type Outbound } from '../../core/http/outbound.ts';
import { ChannelDown } from '../channel.ts';
import { addressIn, authorityIn, isTls } from '../socket-options.ts';
import type { Mail } from './message.ts';
import type { SmtpOptions } from './options.ts';
import { replyIn, type ServerReply } from './replies.ts';

const CONNECT_MS = 15_000;
const CLOSE_MS = 1_000;
const RETRY_MS = 10_000;
/** The configuration must be corrected first. */
const RETRY_LATER_MS = 60_000;

/** What became of a mail: `unsent` has not left, of `unknown` nobody said whether it was taken. */
export type Outcome =
  | { outcome: 'accepted' }
  | { outcome: 'refused'; reply: ServerReply; isOfSender: boolean }
  | { outcome: 'unsent' | 'too_large' | 'no_utf8' | 'unknown' };

/** One connection to the server, over which mails go one by one. */
export class Session {
  private isLost = false;
  private sent = 0;
  /** RFC 6531: addresses beyond ASCII. */
  private takesUtf8 = false;

  private constructor(
    private readonly smtp: SMTPConnection,
    private readonly maxMessages: number,
  ) {
    smtp.on('error', () => (this.isLost = true));
    smtp.on('end', () => (this.isLost = true));
  }

  /** Connects, encrypts and logs in. Throws ChannelDown. */
  static async open(
    options: SmtpOptions,
    outbound: Outbound,
    signal: AbortSignal,
  ): Promise<Session> {
    const { host, port } = addressIn(options);
    const { username, password, serverName, startTls, timeoutMs } = options;
    const ca = authorityIn(options);
    const within = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
    let smtp: SMTPConnection | undefined;
    try {
      const tls = isTls(options) ? { ca, serverName } : undefined;
      const socket = await outbound.connect(host, port, { tls, signal: within });
      smtp = new SMTPConnection({
        connection: socket as SMTPConnectionOptions['connection'],
        host,
        port,
        name: options.domain,
        secure: isTls(options),
        secured: isTls(options),
        ignoreTLS: startTls === 'never',
        requireTLS: startTls === 'required' && !isTls(options),
        tls: { ca, servername: serverName },
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        socketTimeout: timeoutMs,
        socketCloseTimeout: CLOSE_MS,
        maxResponseSize: MAX_RESPONSE,
      });
      const session = new Session(smtp, options.maxMessages);
      await session.during(within, (done) => session.smtp.connect(done));
      // What the server has said last is what it supports.
      session.takesUtf8 = /^250[ -]SMTPUTF8\b/im.test(String(session.smtp.lastServerResponse));
      if (username && password) {
        const auth = { user: username, pass: password };
        await session.during(within, (done) => session.smtp.login(auth, done));
      }
      return session;
    } catch (error) {
      smtp?.close();
      throw asDown(error as SmtpError);
    }
  }

  /** Whether another mail may go over it. */
  get isUsable(): boolean {
    return !this.isLost && this.sent < this.maxMessages;
  }

  /** Whether nothing has gone over it yet: what is lost on such a connection is lost on the next, too. */
  get isFresh(): boolean {
    return this.sent === 0;
  }

  async submit({ from, to, content }: Mail, signal: AbortSignal): Promise<Outcome> {
    const needsUtf8 = !isAscii(to);
    if (needsUtf8 && !this.takesUtf8) return { outcome: 'no_utf8' };
    let hasBegun = false;
    // Read from when the server has asked for it.
    const message = Readable.from(
      (function* () {
        hasBegun = true;
        yield content;
      })(),
      { objectMode: false },
    );
    const envelope = { from, to, size: content.length };
    this.sent++;
    try {
      await this.during(signal, (done) => this.smtp.send(envelope, message, done));
      return { outcome: 'accepted' };
    } catch (error) {
      const outcome = this.outcomeOf(error as SmtpError, hasBegun);
      if (outcome.outcome === 'refused' && !this.isLost) await this.restart(signal);
      return outcome;
    } finally {
      message.destroy();
    }
  }

  /** Says goodbye, if there is somebody to hear it. */
  close(): void {
    if (this.isLost) return this.smtp.close();
    this.isLost = true;
    this.smtp.quit();
  }

  private outcomeOf({ code, command, response }: SmtpError, hasBegun: boolean): Outcome {
    const reply = response && command !== 'CONN' ? replyIn(response) : undefined;
    if (reply && reply.code >= 400) {
      // The server is about to close the connection.
      if (reply.code === 421) this.isLost = true;
      return { outcome: 'refused', reply, isOfSender: command === 'MAIL FROM' };
    }
    if (code === 'EMESSAGE' && !response) return { outcome: 'too_large' };
    this.isLost = true;
    this.smtp.close();
    return { outcome: hasBegun ? 'unknown' : 'unsent' };
  }

  /** A refused envelope stays open at some servers. The next mail waits for the answer, which would else end its own envelope. */
  private async restart(signal: AbortSignal): Promise<void> {
    await this.during(signal, (done) => this.smtp.reset(done)).catch(() => (this.isLost = true));
  }

  /** One step of the connection. A closed connection calls nobody back, so the signal ends the step itself. */
  private async during(
    signal: AbortSignal,
    step: (done: (error?: Error | null) => void) => void,
  ): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (error?: Error | null) => (error ? reject(error) : resolve());
    const abort = () => end(signal.reason as Error);
    signal.addEventListener('abort', abort);
    this.smtp.once('error', end);
    try {
      if (signal.aborted) abort();
      else step(end);
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
      this.smtp.removeListener('error', end);
    }
  }
}

const MAX_RESPONSE = 64 * 1024;

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
}

/** Texts of connections name no secret; replies of a server to a login may quote it. */
function asDown(cause: SmtpError): ChannelDown {
  if (cause instanceof AddressRefused)
    return new ChannelDown(cause.message, RETRY_LATER_MS, { cause });
  const { code, response } = cause;
  if (code === 'EAUTH') {
    const said = response ? ` (${replyIn(response).code})` : '';
    return new ChannelDown(`the server refuses the login${said}`, RETRY_LATER_MS);
  }
  const reason = response ? response.slice(0, 200) : (code ?? cause.name);
  return new ChannelDown(`not connected: ${reason}`, RETRY_MS, { cause });
}

// eslint-disable-next-line no-control-regex -- these are the characters of ASCII.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);
