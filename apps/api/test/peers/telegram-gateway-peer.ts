import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** Access data of the peer, as options of a channel. */
export const GATEWAY = {
  token: 'AAGkIwAA-a-token-of-the-gateway',
  callbackUrl: 'https://sms.example/api/callbacks/codes',
};

/** What Telegram's reference allows, and nothing else. */
const Code = z.strictObject({
  phone_number: z.string().regex(/^\+\d{7,15}$/),
  code: z.string().regex(/^\d{4,8}$/),
  sender_username: z.string().optional(),
  callback_url: z.url({ protocol: /^https$/ }).max(256),
  payload: z.string().max(128).optional(),
  ttl: z.int().min(30).max(3600),
});

export interface ScriptedAnswer {
  status?: number;
  body?: unknown;
  /** Closes the connection after the request, or never answers. */
  fault?: 'close' | 'silent';
}

export const gatewayError = (error: string, status = 200): ScriptedAnswer => ({
  status,
  body: { ok: false, error },
});

/** The headers of a report, as Telegram signs it. */
export function gatewaySignature(
  text: string,
  token = GATEWAY.token,
  seconds = Math.floor(Date.now() / 1000),
): Record<string, string> {
  const key = createHash('sha256').update(token).digest();
  return {
    'x-request-timestamp': String(seconds),
    'x-request-signature': createHmac('sha256', key).update(`${seconds}\n${text}`).digest('hex'),
  };
}

/** A Telegram Gateway that refuses what its reference does not allow. */
export class TelegramGatewayPeer {
  url = '';
  readonly sent: z.output<typeof Code>[] = [];
  calls = 0;
  /** Answers of the next calls. */
  readonly script: ScriptedAnswer[] = [];
  private server?: Server;

  async listen(): Promise<string> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const called = `${request.method} ${request.url}`;
        const answer = this.answer(called, request.headers, Buffer.concat(chunks).toString());
        if (answer.fault === 'close') return request.socket.destroy();
        if (answer.fault === 'silent') return;
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
        const { body } = answer;
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this.url;
  }

  async close(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((done) => this.server?.close(done) ?? done(undefined));
  }

  private answer(called: string, headers: IncomingHttpHeaders, text: string): ScriptedAnswer {
    this.calls++;
    if (called !== 'POST /sendVerificationMessage') return gatewayError('UNKNOWN_METHOD', 404);
    if (headers.authorization !== `Bearer ${GATEWAY.token}`)
      return gatewayError('ACCESS_TOKEN_INVALID');
    const scripted = this.script.shift();
    if (scripted) return scripted;
    if (headers['content-type'] !== 'application/json') return gatewayError('BODY_INVALID', 400);
    const { data, error } = Code.safeParse(JSON.parse(text));
    if (!data) return gatewayError(`${String(error.issues[0]!.path[0]).toUpperCase()}_INVALID`);
    this.sent.push(data);
    const result = {
      request_id: `request-${this.sent.length}`,
      phone_number: data.phone_number.slice(1),
      request_cost: 0.01,
      remaining_balance: 12,
    };
    return { body: { ok: true, result } };
  }
}
