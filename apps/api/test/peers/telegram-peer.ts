import { BotSandbox, type SandboxMessage } from '@heliograph/simulators';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const TOKEN = '4200:AAH-a-token-of-a-bot-in-tests';

interface Failure {
  status: number;
  body: object;
}

/** The Bot API of a test, over HTTP. */
export class TelegramPeer {
  readonly sandbox = new BotSandbox({
    isToken: (token) => token === TOKEN,
    baseUrl: '',
    now: Date.now,
    newChatId: () => 1,
  });
  /** Answers of the next calls of `sendMessage`, instead of sending. */
  readonly failures: Failure[] = [];
  /** Bodies of all calls of `sendMessage`. */
  readonly sent: { chat_id: number; text: string; parse_mode: string }[] = [];
  private server?: Server;
  url: string;

  async start(): Promise<this> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, never>;
        void this.answer(request.method!, request.url!, body).then(({ status, json }) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(json));
        });
      });
    });
    await new Promise<void>((done) => this.server!.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  stop(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }

  env(): Record<string, string> {
    return { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_API_URL: this.url };
  }

  /** What the bot wrote in a chat. */
  textsOf(chatId: number): string[] {
    const messages: SandboxMessage[] = this.sandbox.chats.get(chatId) ?? [];
    return messages.filter(({ isFromBot }) => isFromBot).map(({ text }) => text);
  }

  private async answer(
    method: string,
    path: string,
    body: Record<string, never>,
  ): Promise<{ status: number; json?: unknown }> {
    if (path.endsWith('/sendMessage')) {
      this.sent.push(body as never);
      const failure = this.failures.shift();
      if (failure) return { status: failure.status, json: failure.body };
    }
    return this.sandbox.respond({ method, path, query: {}, body });
  }
}

export const tooManyRequests = (seconds: number): Failure => ({
  status: 429,
  body: {
    ok: false,
    error_code: 429,
    description: 'Too Many Requests',
    parameters: { retry_after: seconds },
  },
});
export const blocked: Failure = {
  status: 403,
  body: { ok: false, error_code: 403, description: 'Forbidden: bot was blocked by the user' },
};
export const broken: Failure = { status: 502, body: {} };
