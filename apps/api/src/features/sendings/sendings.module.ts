import { Module } from '@nestjs/common';
import { AutoRepliesModule } from '../auto-replies/auto-replies.module.ts';
import { BillingsModule } from '../billings/billings.module.ts';
import { ChannelsModule } from '../channels/channels.module.ts';
import { SendingsIncomingModule } from '../sendings-incoming/sendings-incoming.module.ts';
import { LinksModule } from '../links/links.module.ts';
import { PurchasePricesModule } from '../purchase-prices/purchase-prices.module.ts';
import { EmailSettingsModule } from '../email-settings/email-settings.module.ts';
import { FrequencyCapsModule } from '../frequency-caps/frequency-caps.module.ts';
import { QuietHoursModule } from '../quiet-hours/quiet-hours.module.ts';
import { RoutesModule } from '../routes/routes.module.ts';
import { SegmentsModule } from '../segments/segments.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { SuppressionsModule } from '../suppressions/suppressions.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { TemplatesModule } from '../templates/templates.module.ts';
import { AccountRulesService } from './rules/account-rules.service.ts';
import { AccountRulesStore } from './rules/account-rules.store.ts';
import { FrequencyService } from './rules/frequency.service.ts';
import { FrequencyStore } from './rules/frequency.store.ts';
import { AudienceStore } from './audience/audience.store.ts';
import { ChannelReceipts } from './channel-receipts.ts';
import { CarrierReportsService } from './reports/carrier-reports.service.ts';
import { CarrierRefsStore } from './reports/carrier-refs.store.ts';
import { CarriersController } from './reports/carriers.controller.ts';
import { ChannelTestsController } from './intake/channel-tests.controller.ts';
import { BulkService } from './intake/bulk.service.ts';
import { CheckService } from './intake/check.service.ts';
import { DeadlinesService } from './fallbacks/deadlines.service.ts';
import { DeadlinesStore } from './fallbacks/deadlines.store.ts';
import { BatchPreparationService } from './dispatch/batch-preparation.service.ts';
import { DispatchService } from './dispatch/dispatch.service.ts';
import { SubmitFilesService } from './dispatch/submit-files.service.ts';
import { SubmitService } from './dispatch/submit.service.ts';
import { DispatchStore } from './dispatch/dispatch.store.ts';
import { LeasesService } from './dispatch/leases.service.ts';
import { LimitedLeasesService } from './dispatch/limited-leases.service.ts';
import { ReclaimService } from './dispatch/reclaim.service.ts';
import { SubmitResultsService } from './dispatch/submit-results.service.ts';
import { EstimateService } from './intake/estimate.service.ts';
import { ExpandService } from './audience/expand.service.ts';
import { FallbackService } from './fallbacks/fallback.service.ts';
import { FallbackStore } from './fallbacks/fallback.store.ts';
import { InsertStore } from './insert.store.ts';
import { IntakeService } from './intake/intake.service.ts';
import { IntakeStore } from './intake/intake.store.ts';
import { OpenImage } from './opens/open-image.ts';
import { OpenImagesService } from './opens/open-images.service.ts';
import { Opens } from './opens/opens.ts';
import { OpensStore } from './opens/opens.store.ts';
import { OperatorsController } from './pricing/operators.controller.ts';
import { BacklogMetricsStore } from './queries/backlog-metrics.store.ts';
import { PersonsController } from './persons/persons.controller.ts';
import { PersonsService } from './persons/persons.service.ts';
import { PersonsStore } from './persons/persons.store.ts';
import { PollService } from './reports/poll.service.ts';
import { PollStore } from './reports/poll.store.ts';
import { RoutedBatchesService } from './dispatch/routed-batches.service.ts';
import { RoutedBatchesStore } from './dispatch/routed-batches.store.ts';
import { QuietReleasesService } from './dispatch/quiet-releases.service.ts';
import { QuietReleasesStore } from './dispatch/quiet-releases.store.ts';
import { QuietService } from './quiet.service.ts';
import { RouteProbeController } from './rules/route-probe.controller.ts';
import { AwaitedLookupsService } from './awaited-lookups.service.ts';
import { AwaitedLookupsStore } from './awaited-lookups.store.ts';
import { FoundNetworksService } from './found-networks.service.ts';
import { FoundNetworksStore } from './found-networks.store.ts';
import { RoutingService } from './rules/routing.service.ts';
import { ProbeController } from './pricing/probe.controller.ts';
import { VolumesController } from './pricing/volumes.controller.ts';
import { ComparisonWorker } from './pricing/comparison-worker.ts';
import { ComparisonsController } from './pricing/comparisons.controller.ts';
import { ComparisonsService } from './pricing/comparisons.service.ts';
import { ComparisonsStore } from './pricing/comparisons.store.ts';
import { PriceListService } from './pricing/price-list.service.ts';
import { PricingService } from './pricing/pricing.service.ts';
import { RecipientsService } from './intake/recipients.service.ts';
import { ReplySenderService } from './intake/reply-sender.service.ts';
import { InboxService } from './reports/inbox.service.ts';
import { CancelsService } from './dispatch/cancels.service.ts';
import { CallbacksService } from './reports/callbacks.service.ts';
import { RepliesController } from './reports/replies.controller.ts';
import { RepliesService } from './reports/replies.service.ts';
import { RepliesStore } from './reports/replies.store.ts';
import { ReportsService } from './reports/reports.service.ts';
import { CallCostsService } from './call-costs.service.ts';
import { CallCostsStore } from './call-costs.store.ts';
import { ClosingStore } from './reports/closing.store.ts';
import { ReportsStore } from './reports/reports.store.ts';
import { SealedChanges } from './sealed-changes.service.ts';
import { SealedSendings } from './sealed-sendings.service.ts';
import { SealedTexts } from './sealed-texts.service.ts';
import { SealedTextsStore } from './sealed-texts.store.ts';
import { SendingsController } from './sendings.controller.ts';
import { SendingsService } from './sendings.service.ts';
import { SuccessorsService } from './fallbacks/successors.service.ts';
import { SendingsStore } from './queries/sendings.store.ts';
import { MarginsController } from './queries/margins.controller.ts';
import { MarginsService } from './queries/margins.service.ts';
import { MarginsStore } from './queries/margins.store.ts';
import { TaskOutcomeController } from './queries/task-outcome.controller.ts';
import { TaskOutcomeService } from './queries/task-outcome.service.ts';
import { TaskOutcomeStore } from './queries/task-outcome.store.ts';
import { StatusEvents } from './status-events.ts';
import { StatusEventsStore } from './status-events.store.ts';
import { TextsService } from './reports/texts.service.ts';
import { TextsStore } from './reports/texts.store.ts';

/** The engine: from the request of a sending to its final status. */
@Module({
  imports: [
    AutoRepliesModule,
    BillingsModule,
    ChannelsModule,
    EmailSettingsModule,
    FrequencyCapsModule,
    LinksModule,
    SendingsIncomingModule,
    PurchasePricesModule,
    QuietHoursModule,
    RoutesModule,
    SegmentsModule,
    SettingsModule,
    StorageModule,
    SuppressionsModule,
    TariffsModule,
    TasksModule,
    TemplatesModule,
  ],
  controllers: [
    SendingsController,
    CarriersController,
    ChannelTestsController,
    OperatorsController,
    ComparisonsController,
    ProbeController,
    RouteProbeController,
    VolumesController,
    PersonsController,
    RepliesController,
    MarginsController,
    TaskOutcomeController,
  ],
  providers: [
    ChannelReceipts,
    AccountRulesService,
    AccountRulesStore,
    FrequencyService,
    FrequencyStore,
    AudienceStore,
    BacklogMetricsStore,
    BulkService,
    CarrierRefsStore,
    CallbacksService,
    CancelsService,
    CarrierReportsService,
    CheckService,
    DeadlinesService,
    DeadlinesStore,
    BatchPreparationService,
    DispatchService,
    DispatchStore,
    SubmitFilesService,
    SubmitService,
    EstimateService,
    ExpandService,
    FallbackService,
    FallbackStore,
    SuccessorsService,
    QuietReleasesService,
    QuietReleasesStore,
    QuietService,
    InboxService,
    InsertStore,
    IntakeService,
    IntakeStore,
    OpenImage,
    OpenImagesService,
    Opens,
    OpensStore,
    PersonsService,
    PersonsStore,
    PollService,
    PollStore,
    ComparisonWorker,
    ComparisonsService,
    ComparisonsStore,
    PriceListService,
    PricingService,
    RoutedBatchesService,
    RoutedBatchesStore,
    AwaitedLookupsService,
    AwaitedLookupsStore,
    FoundNetworksService,
    FoundNetworksStore,
    RoutingService,
    LeasesService,
    LimitedLeasesService,
    ReclaimService,
    RecipientsService,
    ReplySenderService,
    RepliesService,
    RepliesStore,
    ReportsService,
    CallCostsService,
    CallCostsStore,
    ClosingStore,
    ReportsStore,
    SealedChanges,
    SealedSendings,
    SealedTexts,
    SealedTextsStore,
    SendingsService,
    SendingsStore,
    SubmitResultsService,
    MarginsService,
    MarginsStore,
    TaskOutcomeService,
    TaskOutcomeStore,
    StatusEvents,
    StatusEventsStore,
    TextsService,
    TextsStore,
  ],
  exports: [
    CarrierReportsService,
    RepliesService,
    SealedChanges,
    SealedSendings,
    SealedTexts,
    SendingsService,
  ],
})
export class SendingsModule {}
