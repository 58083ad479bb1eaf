import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { ChannelsModule } from '../channels/channels.module.ts';
import { SendingsIncomingModule } from '../sendings-incoming/sendings-incoming.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { TemplatesModule } from '../templates/templates.module.ts';
import { AccountRulesService } from './rules/account-rules.service.ts';
import { AudienceStore } from './audience/audience.store.ts';
import { CarrierReportsService } from './reports/carrier-reports.service.ts';
import { CarriersController } from './reports/carriers.controller.ts';
import { ChannelTestsController } from './intake/channel-tests.controller.ts';
import { DeadlinesService } from './fallbacks/deadlines.service.ts';
import { DispatchService } from './dispatch/dispatch.service.ts';
import { DispatchStore } from './dispatch/dispatch.store.ts';
import { EstimateService } from './intake/estimate.service.ts';
import { ExpandService } from './audience/expand.service.ts';
import { FallbackService } from './fallbacks/fallback.service.ts';
import { InsertStore } from './insert.store.ts';
import { IntakeService } from './intake/intake.service.ts';
import { OperatorsController } from './pricing/operators.controller.ts';
import { LagStore } from './queries/lag.store.ts';
import { PersonsController } from './persons/persons.controller.ts';
import { PersonsService } from './persons/persons.service.ts';
import { PollService } from './reports/poll.service.ts';
import { RoutingService } from './rules/routing.service.ts';
import { PricingService } from './pricing/pricing.service.ts';
import { RecipientsService } from './intake/recipients.service.ts';
import { RepliesController } from './reports/replies.controller.ts';
import { RepliesService } from './reports/replies.service.ts';
import { ReportsService } from './reports/reports.service.ts';
import { ReportsStore } from './reports/reports.store.ts';
import { SendingsController } from './sendings.controller.ts';
import { SendingsService } from './sendings.service.ts';
import { SuccessorsService } from './fallbacks/successors.service.ts';
import { SendingsStore } from './queries/sendings.store.ts';
import { TextsService } from './reports/texts.service.ts';

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
