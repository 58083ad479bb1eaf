import type { CarrierBatch } from '@heliograph/contract';
import type { Agent } from 'undici';
import { z } from 'zod';

import { signed, verifySignature } from '../../core/http/standard-webhooks.ts';
import {
  defineDriver,
  type DriverContext,
  type OutgoingMessage,
  type SubmitResult,
} from '../channel.ts';
import { shownMessage } from '../exchanges.ts';
import { publicOption } from '../options.ts';
import { readAnswer } from './answer.ts';
import { callCarrier, carrierAgent, isSuccess } from '../http-call.ts';
import { CarrierUrl, httpLimits } from '../http-options.ts';

const Options = z.strictObject({
  /** Batches are posted to this address. */
  url: publicOption(CarrierUrl),
  secret: z
    .string({ error: 'Give the secret of this address.' })
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
      'A secret is whsec_ and 24 to 64 bytes in base64.',
    ),
  ...httpLimits,
  maxBatch: publicOption(z.number().int().min(1).max(1_000).default(500)),
});

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
    const agent = carrierAgent(outbound, options);
    return {
      send: (batch, context) => post(channel, options, agent, batch, context),
      close: () => agent.close(),
    };
  },
});

async function post(
  channel: string,
  { url, secret, timeoutMs }: HttpOptions,
  agent: Agent,
  messages: OutgoingMessage[],
  { signal, trace }: DriverContext,
): Promise<SubmitResult[]> {
  const callOf = () => {
    const body = JSON.stringify({ channel, messages } satisfies CarrierBatch);
    const headers = { 'content-type': 'application/json', ...signed(secret, body) };
    return { url, method: 'POST', headers, body } as const;
  };
  trace?.(() => ({
    request: `POST ${url}\n${JSON.stringify({ channel, messages: messages.map(shownMessage) })}`,
  }));
  const answer = await callCarrier(agent, callOf, timeoutMs, signal, isSuccess);
  trace?.(() => ({ answer: `${answer.status}\n${answer.body}` }));
  return readAnswer(answer);
}
