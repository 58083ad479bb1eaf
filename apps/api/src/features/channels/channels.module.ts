import { Module } from '@nestjs/common';
import { ChannelAlarms } from './channel-alarms.service.ts';
import { ChannelAlarmsStore } from './channel-alarms.store.ts';
import { ChannelAnnouncements } from './channel-announcements.service.ts';
import { ChannelAnswers } from './channel-answers.service.ts';
import { ChannelAnswersStore } from './channel-answers.store.ts';
import { ChannelChats } from './channel-chats.service.ts';
import { ChannelChatsStore } from './channel-chats.store.ts';
import { ChannelExchanges } from './channel-exchanges.service.ts';
import { ChannelExchangesStore } from './channel-exchanges.store.ts';
import { ChannelTraffic } from './channel-traffic.service.ts';
import { ChannelTrafficStore } from './channel-traffic.store.ts';
import { ChannelStatesService } from './channel-states.service.ts';
import { BotHost } from './bot-host.service.ts';
import { CarrierSignatures } from './carrier-signatures.ts';
import { ChannelConnections } from './channel-connections.service.ts';
import { ChannelSessions } from './channel-sessions.service.ts';
import { ChannelSessionsStore } from './channel-sessions.store.ts';
import { ChannelWatch } from './channel-watch.service.ts';
import { ChannelsController } from './channels.controller.ts';
import { ChannelsService } from './channels.service.ts';
import { ChannelsStore } from './channels.store.ts';
import { RehearsalService } from './rehearsal.service.ts';
import { DnsLookups, DomainCheckService } from './domain-check.service.ts';
import { MailHost } from './mail-host.service.ts';
import { MaxHost } from './max-host.service.ts';
import { SmscHost } from './smsc-host.service.ts';

@Module({
  controllers: [ChannelsController],
  providers: [
    BotHost,
    CarrierSignatures,
    ChannelAlarms,
    ChannelAlarmsStore,
    ChannelAnnouncements,
    ChannelAnswers,
    ChannelAnswersStore,
    ChannelChats,
    ChannelChatsStore,
    ChannelConnections,
    ChannelSessions,
    ChannelSessionsStore,
    ChannelStatesService,
    ChannelExchanges,
    ChannelExchangesStore,
    ChannelTraffic,
    ChannelTrafficStore,
    ChannelWatch,
    ChannelsService,
    ChannelsStore,
    RehearsalService,
    DnsLookups,
    DomainCheckService,
    MailHost,
    MaxHost,
    SmscHost,
  ],
  exports: [
    ChannelAnswers,
    ChannelChats,
    ChannelConnections,
    ChannelSessions,
    ChannelStatesService,
    ChannelTraffic,
    ChannelsService,
  ],
})
export class ChannelsModule {}
