import { Injectable } from '@nestjs/common';
import type { textGenerator } from '@heliograph/contract';
import { compileText, fitText, VariableError, type TextLimit } from '@heliograph/domain';
import type { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Actor } from '../../core/auth/actor.ts';
import type { In } from '../../core/http/endpoint.ts';
import { unavailable } from '../../core/http/service-client.ts';
import { RateLimits, take } from '../../core/rate-limits.ts';
import { TextWriter } from './text-writer.ts';

type Asked = In<typeof textGenerator.generate>['body'];

/** Requests per minute and account. */
export const GENERATOR_LIMIT = 10;

@Injectable()
export class TextGeneratorService {
  private readonly limit: RateLimiterRedis;

  constructor(
    private readonly writer: TextWriter,
    limits: RateLimits,
  ) {
    this.limit = limits.of('text-generator', GENERATOR_LIMIT, 60);
  }

  /** A text within the limit of segments that can be sent unchanged. */
  async generate({ OwnerId }: Actor, { formValues: form, channel }: Asked): Promise<string> {
    await take(this.limit, OwnerId);
    const room: TextLimit =
      channel === 'sms' ? { segments: form.smsSegments } : { characters: form.otherChars };
    const written = await this.writer.write({ form, channel, room });
    const text = fitted(written, room);
    if (!text) throw unavailable('the text generator returned no text');
    return text;
  }
}

/** Truncates a text to the limit, without cutting variables. */
function fitted(written: string, room: TextLimit): string {
  const bare = withoutBraces(written);
  // Braces that are not variables would be refused.
  const whole = (isSendable(written) ? written : bare).trim();
  const text = fitText(whole, room);
  const brace = text.lastIndexOf('{');
  const isCut = text.length < whole.length && brace > text.lastIndexOf('}');
  return (isCut ? text.slice(0, brace).trimEnd() : text) || fitText(bare, room);
}

function isSendable(text: string): boolean {
  try {
    compileText(text);
    return true;
  } catch (error) {
    if (!(error instanceof VariableError)) throw error;
    return false;
  }
}

const withoutBraces = (text: string) => text.replaceAll(/[{}]/g, '');
