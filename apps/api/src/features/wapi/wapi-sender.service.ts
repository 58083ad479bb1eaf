import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  ChannelDown,
  type DriverContext,
  type OutgoingMessage,
  type SubmitResult,
} from '../../channels/channel.ts';
import { Clock } from '../../core/clock.ts';
import { Config } from '../../core/config.ts';
import { Log } from '../../core/log.ts';
import { ChannelConnections } from '../channels/channel-connections.service.ts';
import { GatewaysService } from './gateways.service.ts';
import { WapiGatewayStore, type SendingInstance } from './wapi-gateway.store.ts';

/** Messages that an instance may send at once after a pause. */
const BURST = 10;
const DOWN_MS = 10_000;

/** Sends messages from the instances of their accounts, one by one and within the rate of each instance. */
@Injectable()
export class WapiSenderService implements OnModuleInit {
  constructor(
    private readonly store: WapiGatewayStore,
    private readonly gateways: GatewaysService,
    private readonly channels: ChannelConnections,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.channels.useSenders(this);
  }

  async send(batch: OutgoingMessage[], { signal }: DriverContext): Promise<SubmitResult[]> {
    if (!this.gateways.isAvailable) throw new ChannelDown('there is no WhatsApp gateway', 60_000);
    const references = batch.map(({ reference }) => reference);
    const senders = await this.store.senders(references).catch((cause: unknown) => {
      throw new ChannelDown('the instances of the senders cannot be read', DOWN_MS, { cause });
    });
    const byReference = new Map(senders.map((one) => [one.reference, one]));
    const results: SubmitResult[] = [];
    const byInstance = Map.groupBy(batch, ({ reference }) => {
      const sender = byReference.get(reference);
      return sender?.state === 'authorized' ? sender.id : null;
    });
    for (const [id, messages] of byInstance) {
      if (id === null)
        for (const { reference } of messages)
          results.push({ reference, result: 'rejected', code: 'instance_not_authorized' });
      else {
        const sender = byReference.get(messages[0]!.reference)!;
        results.push(...(await this.sendFrom(sender, messages, signal)));
      }
    }
    const isTaken = results.some(({ result }) => result === 'accepted' || result === 'rejected');
    const isDown = results.some(
      (one) => one.result === 'unsent' || ('retryAfter' in one && one.retryAfter === DOWN_MS),
    );
    if (isDown && !isTaken)
      throw new ChannelDown('nothing could be sent to the WhatsApp gateway', DOWN_MS);
    return results;
  }

  private async sendFrom(
    sender: SendingInstance,
    messages: OutgoingMessage[],
    signal: AbortSignal,
  ): Promise<SubmitResult[]> {
    const seconds = 60 / this.config.WAPI_MESSAGES_PER_MINUTE;
    const ready = await this.prepare(sender, messages.length, seconds).catch((error: unknown) => {
      this.log.error({ err: error, wapi: sender.id }, 'Nothing was sent from an instance.');
      return null;
    });
    if (!ready)
      return messages.map(({ reference }) => ({
        reference,
        result: 'throttled',
        retryAfter: DOWN_MS,
      }));
    const { ref, gateway, taken, ahead } = ready;
    // When half of the burst is free again.
    const wait = Math.max(seconds, ahead - (BURST / 2) * seconds) * 1000;
    const results: SubmitResult[] = messages
      .slice(taken)
      .map(({ reference }) => ({ reference, result: 'throttled', retryAfter: Math.ceil(wait) }));
    let isDown = false;
    for (const { reference, recipient, payload } of messages.slice(0, taken)) {
      if (isDown || signal.aborted) {
        results.push({ reference, result: 'unsent' });
        continue;
      }
      const answer = await gateway.send(ref, { to: recipient, text: payload.text ?? '' });
      if (answer.result === 'down') {
        isDown = true;
        results.push({ reference, result: 'unsent' });
      } else if (answer.result === 'accepted')
        results.push({ reference, result: 'accepted', externalIds: [answer.externalId] });
      else if (answer.result !== 'lost') results.push({ reference, ...answer });
    }
    return results;
  }

  /** What is needed before anything is sent. An error of one instance says nothing of what others have sent. */
  private async prepare(sender: SendingInstance, wanted: number, seconds: number) {
    const ref = (await this.gateways.ref(sender))!;
    const gateway = await this.gateways.open();
    const rate = { seconds, burst: BURST };
    const taken = await this.store.takeRate(sender.id, wanted, rate, this.clock.now());
    return { ref, gateway, ...taken };
  }
}
