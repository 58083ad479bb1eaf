import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { ChannelsModule } from '../channels/channels.module.ts';
import { SendingsIncomingModule } from '../sendings-incoming/sendings-incoming.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { TemplatesModule } from '../templates/templates.module.ts';
import { AccountRulesService } from './account-rules.service.ts';
import { AudienceStore } from './audience.store.ts';
import { CarrierReportsService } from './carrier-reports.service.ts';
import { CarriersController } from './carriers.controller.ts';
import { ChannelTestsController } from './channel-tests.controller.ts';
import { DeadlinesService } from './deadlines.service.ts';
import { DispatchService } from './dispatch.service.ts';
import { DispatchStore } from './dispatch.store.ts';
import { EstimateService } from './estimate.service.ts';
import { ExpandService } from './expand.service.ts';
import { FallbackService } from './fallback.service.ts';
import { InsertStore } from './insert.store.ts';
import { IntakeService } from './intake.service.ts';
import { OperatorsController } from './operators.controller.ts';
import { LagStore } from './lag.store.ts';
import { PersonsController } from './persons.controller.ts';
import { PersonsService } from './persons.service.ts';
import { PollService } from './poll.service.ts';
import { RoutingService } from './routing.service.ts';
import { PricingService } from './pricing.service.ts';
import { RecipientsService } from './recipients.service.ts';
import { RepliesController } from './replies.controller.ts';
import { RepliesService } from './replies.service.ts';
import { ReportsService } from './reports.service.ts';
import { ReportsStore } from './reports.store.ts';
import { SendingsController } from './sendings.controller.ts';
import { SendingsService } from './sendings.service.ts';
import { SuccessorsService } from './successors.service.ts';
import { SendingsStore } from './sendings.store.ts';
import { TextsService } from './texts.service.ts';

/** The engine: from an asked-for sending to its last status. */
@Module({
  imports: [
    BillingsModule,
    ChannelsModule,
    SendingsIncomingModule,
    SettingsModule,
    StorageModule,
    TariffsModule,
    TasksModule,
    TemplatesModule,
  ],
  controllers: [
    SendingsController,
    CarriersController,
    ChannelTestsController,
    OperatorsController,
    PersonsController,
    RepliesController,
  ],
  providers: [
    AccountRulesService,
    AudienceStore,
    CarrierReportsService,
    DeadlinesService,
    DispatchService,
    DispatchStore,
    EstimateService,
    ExpandService,
    FallbackService,
    SuccessorsService,
    InsertStore,
    IntakeService,
    LagStore,
    PersonsService,
    PollService,
    PricingService,
    RoutingService,
    RecipientsService,
    RepliesService,
    ReportsService,
    ReportsStore,
    SendingsService,
    SendingsStore,
    TextsService,
  ],
  exports: [SendingsService],
})
export class SendingsModule {}
