import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChannelConnections } from '../../channels/channel-connections.service.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { RepliesService } from './replies.service.ts';

/** Takes what carriers push over open channels: the same as what they post. */
@Injectable()
export class InboxService implements OnModuleInit {
  constructor(
    private readonly connections: ChannelConnections,
    private readonly reports: CarrierReportsService,
    private readonly replies: RepliesService,
  ) {}

  onModuleInit(): void {
    this.connections.useInbox((channel) => ({
      reports: (reports) => this.reports.push(channel, reports),
      messages: (messages) => this.replies.push(channel, messages),
    }));
  }
}
