import type { Agent } from 'undici';

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
import { shownMessage, tailOf } from '../exchanges.ts';
import { callCarrier, carrierAgent, type HttpAnswer } from '../http-call.ts';
import { callsOf, type DeviceResult, PUSH_BATCH, pushToDevices } from '../push.ts';
import { AccessTokens } from './access-tokens.ts';
import { readAnswer, TokenRefused } from './answers.ts';
import { bodyOf } from './messages.ts';
import { FcmOptions } from './options.ts';

const REFUSED_RETRY_MS = 60_000;

/** Push messages to apps and browsers over Firebase Cloud Messaging (HTTP v1): a request for each device. */
export const fcmDriver = defineDriver({
  name: 'fcm',
  types: ['push'],
  options: FcmOptions,
  describe: ({ connections, deliveredAfter }) => ({
    deduplicates: false,
    maxBatch: PUSH_BATCH,
    concurrency: callsOf(connections).calls,
    isQueried: true,
    expiresAfter: () => expiryAfter(deliveredAfter),
  }),
  open: (options, context) => new FcmChannel(options, context),
});

class FcmChannel implements Driver {
  private readonly agent: Agent;
  private readonly tokens: AccessTokens;
  private readonly url: string;

  constructor(
    private readonly options: FcmOptions,
    private readonly context: OpenContext,
  ) {
    this.agent = carrierAgent(context.outbound, options);
    this.tokens = new AccessTokens(options, this.agent);
    this.url = `${options.url}/v1/projects/${options.projectId}/messages:send`;
  }

  send(batch: OutgoingMessage[], context: DriverContext): Promise<SubmitResult[]> {
    return pushToDevices(batch, context, {
      kind: 'fcm',
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
    device: PushDevice,
    context: DriverContext,
  ): Promise<DeviceResult> {
    const body = bodyOf(message, device, context.now);
    if (body === null) return { result: 'rejected', code: 'too_long' };
    context.trace?.(() => {
      const shown = { ...device, address: tailOf(device.address) };
      return { request: `POST ${this.url}\n${bodyOf(shownMessage(message), shown, context.now)}` };
    });
    try {
      return await this.post(body, device, context);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
    }
    // It may have been revoked: once more with another.
    try {
      return await this.post(body, device, context);
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error;
      throw new ChannelDown('the access token is refused', REFUSED_RETRY_MS, { cause: error });
    }
  }

  private async post(
    body: string,
    { address }: PushDevice,
    { signal, trace }: DriverContext,
  ): Promise<DeviceResult> {
    const token = await this.tokens.get();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer: HttpAnswer = await callCarrier(
      this.agent,
      () => ({ url: this.url, method: 'POST', headers, body }),
      this.options.timeoutMs,
      signal,
      (status) => status < 500,
    );
    trace?.(() => ({
      answer: `${answer.status}\n${answer.body.replaceAll(address, tailOf(address))}`,
    }));
    try {
      return readAnswer(answer);
    } catch (error) {
      if (error instanceof TokenRefused) this.tokens.forget(token);
      throw error;
    }
  }
}
