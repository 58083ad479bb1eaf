import { Controller } from '@nestjs/common';
import { channels, type ResponseOf } from '@heliograph/contract';
import { Audit } from '../../../core/audit/audit.ts';
import type { Actor } from '../../../core/auth/actor.ts';
import { invalid } from '../../../core/errors.ts';
import { Endpoint, Input, CurrentActor, type In } from '../../../core/http/endpoint.ts';
import { ChannelsService } from '../../channels/channels.service.ts';
import { IntakeService } from './intake.service.ts';
import { addressOf } from '../plan.ts';

/** Test messages of administrators. They are sent like any other message, so that the whole path is tested. */
@Controller()
export class ChannelTestsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly intake: IntakeService,
    private readonly audit: Audit,
  ) {}

  @Endpoint(channels.test)
  async test(
    @CurrentActor() { OwnerId }: Actor,
    @Input() { params, body }: In<typeof channels.test>,
  ): Promise<ResponseOf<typeof channels.test>> {
    const { name, types } = await this.channels.getOne(params.channel);
    const { type, recipient, payload } = body;
    if (!types.includes(type))
      throw invalid('type', 'unavailable', `The channel does not take ${type}.`);
    if (addressOf(type, recipient) === null)
      throw invalid(
        'recipient',
        type === 'email' ? 'email' : 'phone',
        `This is no address of ${type}.`,
      );
    const input = { ...body, fallbacks: [], audioSeconds: {}, expiring: [] };
    await this.audit.record({ target: ['channels', name], after: { type } });
    return this.intake.test(OwnerId, name, { ...input, payload }, recipient);
  }
}
