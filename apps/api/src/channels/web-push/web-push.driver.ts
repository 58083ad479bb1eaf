import type { Agent } from 'undici';

import { AddressRefused } from '../../core/http/outbound.ts';
import { assumedDelivered, expiryAfter } from '../assumed-delivery.ts';
import {
  ChannelDown,
  defineDriver,
  type Driver,
  type DriverContext,
  type OpenContext,
  type OutgoingMessage,
  type PushDevice,
  type QueryContext,
  type QueryResult,
  type SubmitResult,
  type SubmittedMessage,
} from '../channel.ts';
import { shownMessage } from '../exchanges.ts';
import { callCarrier } from '../http-call.ts';
import { callsOf, type DeviceResult, PUSH_BATCH, pushToDevices, ttlOf } from '../push.ts';
import { readAnswer } from './answers.ts';
import { contentOf } from './content.ts';
import { encrypted, MAX_PLAINTEXT } from './encryption.ts';
import { WebPushOptions } from './options.ts';
import { Vapid } from './vapid.ts';

/** The address of a subscription is the visitor's: nothing long is read from it. */
const MAX_RESPONSE_BYTES = 16 * 1024;
/** A push service that cannot be reached is asked less and less often. */
const AWAY_RETRY_MS = 30_000;
const MAX_AWAY_RETRY_MS = 3_600_000;

/** Push messages to browsers over their push services: RFC 8030, encrypted by RFC 8291, with a key of RFC 8292. */
export const webPushDriver = defineDriver({
  name: 'web-push',
  types: ['push'],
  options: WebPushOptions,
  describe: ({ connections, deliveredAfter }) => ({
    deduplicates: false,
    maxBatch: PUSH_BATCH,
    concurrency: callsOf(connections).calls,
    isQueried: true,
    expiresAfter: () => expiryAfter(deliveredAfter),
  }),
  open: (options, context) => new WebPushChannel(options, context),
});

class WebPushChannel implements Driver {
  private readonly agent: Agent;
  private readonly vapid: Vapid;

  constructor(
    private readonly options: WebPushOptions,
    private readonly context: OpenContext,
  ) {
    this.agent = context.outbound.agent({
      connections: options.connections,
      connectTimeoutMs: options.connectTimeoutMs,
      keepAliveTimeout: 2_000,
      keepAliveMaxTimeout: 2_000,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
    this.vapid = new Vapid(options, options.subject);
  }

  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    return pushToDevices(batch, context, {
      kind: 'web-push',
      devices: this.context.devices,
      width: callsOf(this.options.connections).width,
      deliver: (message, device) => this.deliver(message, device, context),
    });
  }

  /** Nobody tells what has arrived. */
  query(messages: SubmittedMessage[], context: QueryContext): Promise<QueryResult> {
    return Promise.resolve(assumedDelivered(messages, context, this.options.deliveredAfter));
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  private async deliver(
    message: OutgoingMessage,
    { address, keys }: PushDevice,
    { signal, trace }: DriverContext,
  ): Promise<DeviceResult> {
    const text = contentOf(message);
    if (text.length > MAX_PLAINTEXT) return { result: 'rejected', code: 'too_long' };
    const ttl = ttlOf(message);
    const callOf = () => ({
      url: address,
      method: 'POST' as const,
      headers: {
        authorization: this.vapid.authorizationFor(address),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: `${ttl}`,
        urgency: 'high',
      },
      body: encrypted(text, keys!),
    });
    // Who knows the path may write to the browser.
    const shown = new URL(address).origin;
    trace?.(() => ({
      request: `POST ${shown}/… ttl=${ttl}\n${contentOf(shownMessage(message)).toString()}`,
    }));
    try {
      const answer = await callCarrier(
        this.agent,
        callOf,
        this.options.timeoutMs,
        signal,
        (status) => status >= 400 && status < 500,
      );
      trace?.(() => ({ answer: `${answer.status}\n${answer.body.replaceAll(address, shown)}` }));
      return readAnswer(answer);
    } catch (error) {
      if (!(error instanceof ChannelDown) || signal.aborted) throw error;
      return unreached(error, message);
    }
  }
}

/** One push service is away, or an address is not allowed: others take their messages. */
function unreached(error: ChannelDown, { tries }: OutgoingMessage): DeviceResult {
  if (error.cause instanceof AddressRefused)
    return { result: 'rejected', code: 'invalid_recipient', text: error.message };
  const wait = AWAY_RETRY_MS * 2 ** Math.min(tries, 10);
  return { result: 'throttled', retryAfter: Math.min(wait, MAX_AWAY_RETRY_MS) };
}
