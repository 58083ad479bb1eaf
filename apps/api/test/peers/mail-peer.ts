import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { CERTIFICATE, PRIVATE_KEY } from './certificate.ts';

export interface Received {
  from: string;
  to: string[];
  raw: string;
  user?: string;
  isSecure: boolean;
}

type Step = 'login' | 'from' | 'to' | 'data';

/** A mail server of another make, which refuses what the test says and keeps what it takes. */
export class MailPeer {
  readonly received: Received[] = [];
  connections = 0;
  /** The answer to a step; nothing, if it is taken. */
  refuse: (step: Step, value: string) => string | undefined = () => undefined;
  private server?: SMTPServer;

  async listen(options: SMTPServerOptions = {}): Promise<string> {
    const answer = (step: Step, value: string, done: (error?: Error | null) => void) => {
      const refusal = this.refuse(step, value);
      done(refusal ? errorOf(refusal) : null);
    };
    const server = new SMTPServer({
      key: PRIVATE_KEY,
      cert: CERTIFICATE,
      authOptional: true,
      size: 1_000_000,
      onConnect: (_session, done) => {
        this.connections++;
        done();
      },
      onAuth: ({ username, password }, _session, done) => {
        const refusal = this.refuse('login', `${username} ${password}`);
        done(refusal ? errorOf(refusal) : null, { user: username });
      },
      onMailFrom: ({ address }, _session, done) => answer('from', address, done),
      onRcptTo: ({ address }, _session, done) => answer('to', address, done),
      onData: (stream, session, done) => {
        void buffer(stream).then((bytes) => {
          const raw = bytes.toString('utf8');
          const refusal = this.refuse('data', raw);
          if (refusal) return done(errorOf(refusal));
          const { mailFrom, rcptTo } = session.envelope;
          this.received.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw,
            ...(session.user && { user: session.user as unknown as string }),
            isSecure: session.secure,
          });
          done();
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    return `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.server) this.server.close(() => resolve());
      else resolve();
    });
  }
}

const errorOf = (reply: string): Error => {
  const [, code, text] = /^(\d{3}) (.*)$/s.exec(reply)!;
  return Object.assign(new Error(text), { responseCode: Number(code) });
};

/** A server of one line per command, which the test breaks. `null` cuts the connection. Answers take `delayMs`, as those of a server far away. */
export async function scriptedServer(
  answer: (command: string) => string | null | undefined,
  delayMs = 0,
): Promise<{ url: string; commands: string[]; lines: string[]; close: () => void }> {
  const commands: string[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let isData = false;
    let rest = '';
    const say = (command: string, usual: string) => {
      const line = answer(command);
      if (line === null) socket.destroy();
      else if (delayMs) setTimeout(() => socket.write(`${line ?? usual}\r\n`), delayMs);
      else socket.write(`${line ?? usual}\r\n`);
    };
    say('CONNECT', '220 peer ESMTP');
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (;;) {
        const end = isData ? rest.indexOf('\r\n.\r\n') : rest.indexOf('\r\n');
        if (isData && end < 0 && rest.length && answer('CONTENT') === null) socket.destroy();
        if (end < 0 || socket.destroyed) return;
        const line = rest.slice(0, end);
        rest = rest.slice(end + (isData ? 5 : 2));
        const command = isData ? 'DOT' : line.split(/[ :]/)[0]!.toUpperCase();
        commands.push(command);
        lines.push(line);
        isData = command === 'DATA';
        say(command, USUAL[command] ?? '250 OK');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    commands,
    lines,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const USUAL: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye', EHLO: '250 peer' };
