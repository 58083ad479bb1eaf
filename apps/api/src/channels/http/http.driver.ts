import type { CarrierBatch } from '@heliograph/contract';
import { type Agent, request } from 'undici';
import { z } from 'zod';

import { AddressRefused, markBegin } from '../../core/http/outbound.ts';
import {
  ChannelDown,
  defineDriver,
  type SubmitResult,
  UnknownOutcome,
  type OutgoingMessage,
} from '../channel.ts';
import { publicOption } from '../options.ts';
import { readAnswer } from './answer.ts';
import { signed, verifySignature } from '../../core/http/standard-webhooks.ts';

const Options = z.strictObject({
  /** Batches are posted to this address. */
  url: publicOption(
    z
      .url({ protocol: /^https?$/, error: 'This is not an http or https address.', abort: true })
      .refine(
        hasNoPassword,
        'Who reads channels sees the address: a name or password has no place in it.',
      ),
  ),
  secret: z
    .string({ error: 'Give the secret of this address.' })
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
      'A secret is whsec_ and 24 to 64 bytes in base64.',
    ),
  timeoutMs: publicOption(z.number().int().min(100).max(120_000).default(15_000)),
  connectTimeoutMs: publicOption(z.number().int().min(100).max(60_000).default(5_000)),
  connections: publicOption(z.number().int().min(1).max(64).default(4)),
  maxBatch: publicOption(z.number().int().min(1).max(1_000).default(500)),
  deduplicates: publicOption(z.boolean().default(false)),
});

/** More than a response to the largest batch with long ids and texts. The outcome of a batch with a longer one is unknown. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

function hasNoPassword(url: string): boolean {
  const { username, password } = new URL(url);
  return !username && !password;
}

type HttpOptions = z.output<typeof Options>;

/**
 * A carrier with an HTTP address, such as apps/simulator: one signed POST submits a batch and returns
 * a result for each message; reports are posted to `POST /channels/:channel/statuses`.
 */
export const httpDriver = defineDriver({
  name: 'http',
  options: Options,
  describe: ({ secret, deduplicates, maxBatch, connections }) => ({
    deduplicates,
    maxBatch,
    concurrency: connections,
    isQueried: false,
    verify: ({ headers, body }) => verifySignature(secret, headers, body),
  }),
  open(options, { channel, outbound }) {
    const agent = outbound.agent({
      connections: options.connections,
      connectTimeoutMs: options.connectTimeoutMs,
      // Shorter than the keep-alive of carriers: a connection that closes while a batch is written
      // leaves its outcome unknown.
      keepAliveTimeout: 2_000,
      keepAliveMaxTimeout: 2_000,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
    return {
      send: (batch, { signal }) => post(channel, options, agent, batch, signal),
      close: () => agent.close(),
    };
  },
});

async function post(
  channel: string,
  options: HttpOptions,
  agent: Agent,
  messages: OutgoingMessage[],
  signal: AbortSignal,
): Promise<SubmitResult[]> {
  if (signal.aborted) throw new ChannelDown('stopped before the submit', 0);
  const { dispatcher, hasBegun } = markBegin(agent);
  try {
    const body = JSON.stringify({ channel, messages } satisfies CarrierBatch);
    // Redirects are not followed: undici does so only when asked, and a signed batch goes to the
    // configured address or nowhere.
    const response = await request(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(options.secret, body) },
      body,
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]),
    });
    const { statusCode: status, headers } = response;
    const isRead = status >= 200 && status < 300;
    const text = isRead ? await response.body.text() : await response.body.dump();
    return readAnswer(status, headers['retry-after'], text ?? '');
  } catch (error) {
    if (error instanceof ChannelDown || error instanceof UnknownOutcome) throw error;
    throw asChannelError(error as NodeJS.ErrnoException, hasBegun());
  }
}

/** Before the request has begun, an error in making it, or one of the connection, leaves the carrier with nothing. */
function asChannelError(
  cause: NodeJS.ErrnoException,
  hasBegun: boolean,
): ChannelDown | UnknownOutcome {
  if (cause instanceof AddressRefused) return new ChannelDown(cause.message, 60_000, { cause });
  const reason = cause.code ?? cause.name;
  if (!hasBegun) return new ChannelDown(`not sent: ${reason}`, 10_000, { cause });
  // A timeout, a broken connection, or any other error.
  return new UnknownOutcome(`no answer: ${reason}`, { cause });
}
