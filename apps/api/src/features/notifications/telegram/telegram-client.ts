import { Injectable } from '@nestjs/common';
import { GeneratedSecrets } from '../../../core/auth/generated-secrets.ts';
import { Config } from '../../../core/config.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

export interface TelegramMessage {
  chat: { id: number; type: string; first_name?: string; title?: string; username?: string };
  from?: { language_code?: string };
  text?: string;
}
export interface TelegramUpdate {
  update_id: number;
  message?: TelegramMessage;
}

export type TelegramAnswer<Result> =
  | { result: Result }
  | {
      /** 0 without an answer. */
      code: number;
      description: string;
      /** Telegram asks to wait. */
      retryAfterSeconds: number | null;
    };

/** The Bot API over HTTP. Never throws, and writes no log: its URLs contain the token. */
@Injectable()
export class TelegramClient {
  constructor(
    private readonly config: Config,
    private readonly secrets: GeneratedSecrets,
  ) {}

  /** The number of the bot, which is not secret. */
  get botId(): string {
    return this.config.TELEGRAM_BOT_TOKEN?.split(':')[0] ?? 'sandbox';
  }

  getMe(): Promise<TelegramAnswer<{ username?: string }>> {
    return this.call('getMe', {});
  }

  getUpdates(
    offset: number,
    seconds: number,
    signal: AbortSignal,
  ): Promise<TelegramAnswer<TelegramUpdate[]>> {
    const body = { offset, timeout: seconds, allowed_updates: ['message'], limit: 100 };
    return this.call('getUpdates', body, seconds * 1000, signal);
  }

  /** `html` is in the subset that Telegram takes. */
  sendMessage(chatId: number, html: string): Promise<TelegramAnswer<unknown>> {
    return this.call('sendMessage', {
      chat_id: chatId,
      text: html,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    });
  }

  private async call<Result>(
    method: string,
    body: object,
    waitMs = 0,
    signal?: AbortSignal,
  ): Promise<TelegramAnswer<Result>> {
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS + waitMs);
      const response = await fetch(`${await this.base()}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      });
      return answerOf<Result>(response.status, await readJson(response));
    } catch (error) {
      const { name } = error as Error;
      return { code: 0, description: name, retryAfterSeconds: null };
    }
  }

  private async base(): Promise<string> {
    const { TELEGRAM_BOT_TOKEN, TELEGRAM_API_URL, localUrl } = this.config;
    if (TELEGRAM_BOT_TOKEN)
      return `${TELEGRAM_API_URL.replace(/\/$/, '')}/bot${TELEGRAM_BOT_TOKEN}`;
    return `${localUrl}/sandbox/telegram/bot${await this.secrets.get('telegram')}`;
  }
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

function answerOf<Result>(status: number, json: unknown): TelegramAnswer<Result> {
  const answer = (json ?? {}) as {
    ok?: boolean;
    result?: Result;
    description?: unknown;
    parameters?: { retry_after?: unknown };
  };
  if (answer.ok === true && status === 200) return { result: answer.result as Result };
  const wait = Number(answer.parameters?.retry_after);
  return {
    code: status === 200 ? 0 : status,
    description: typeof answer.description === 'string' ? answer.description.slice(0, 200) : '',
    retryAfterSeconds: Number.isFinite(wait) && wait > 0 ? Math.min(wait, 3600) : null,
  };
}
