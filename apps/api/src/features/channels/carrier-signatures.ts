import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ChannelFacts } from '../../channels/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { Verification } from '../../core/http/standard-webhooks.ts';
import { currentTime } from '../../core/time.ts';
import { Signers, type VerifySignature } from '../../core/http/signers.ts';
import { ChannelsService } from './channels.service.ts';

const REFUSALS: Record<Exclude<Verification, 'genuine'>, string> = {
  unsigned:
    'The signature is missing: webhook-id, webhook-timestamp and webhook-signature are required',
  timestamp:
    'The signature is right, but webhook-timestamp is more than five minutes from now: set the clock',
  signature: 'The signature is wrong: another secret, or another body, was signed',
};

/** Authenticates carriers by the signature of the request body, computed over the received bytes. */
@Injectable()
export class CarrierSignatures implements OnModuleInit {
  constructor(
    private readonly channels: ChannelsService,
    private readonly signers: Signers,
  ) {}

  onModuleInit(): void {
    this.signers.use('channel', (name) => this.open(name));
    this.signers.use('carrier', (name) => this.openDoor(name));
  }

  private async factsOf(name: string): Promise<ChannelFacts> {
    const facts = await this.channels.facts(name);
    if (!facts) throw new AppError('unavailable', 'The settings of the channel are not valid');
    return facts;
  }

  private async openDoor(name: string): Promise<VerifySignature> {
    const { callback } = await this.factsOf(name);
    if (!callback) throw new AppError('unauthorized', 'The channel takes no callbacks');
    return (headers, body, search) => {
      if (!callback.isGenuine({ headers, body, search }))
        throw new AppError('unauthorized', 'The proof of the callback is missing or wrong');
    };
  }

  private async open(name: string): Promise<VerifySignature> {
    const facts = await this.factsOf(name);
    if (!facts.verify) throw refusal('unsigned');
    return (headers, body) => {
      const verification = facts.verify!({ headers, body });
      if (verification !== 'genuine') throw refusal(verification);
    };
  }
}

function refusal(reason: Exclude<Verification, 'genuine'>): AppError {
  const payload = {
    reason,
    ...(reason === 'timestamp' && { now: Math.floor(currentTime() / 1000) }),
  };
  return new AppError('unauthorized', REFUSALS[reason], { payload });
}
