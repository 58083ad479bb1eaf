import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { DeliverablesService } from './deliverables.service.ts';
import { DeliverablesStore } from './deliverables.store.ts';
import { SmppDeliveries } from './deliveries.service.ts';
import { LoginsService } from './logins.service.ts';
import { LoginsStore } from './logins.store.ts';
import { PartsService } from './parts.service.ts';
import { PartsStore } from './parts.store.ts';
import { QueriesService } from './queries.service.ts';
import { SmppServer } from './smpp-server.service.ts';
import { SubmitsService } from './submits.service.ts';

/** SMPP for customers. Its server listens in a process of its own; its sweeps run in workers. */
@Module({
  imports: [AuthModule, SendingsModule, SettingsModule, TasksModule, WebhooksModule],
  providers: [
    DeliverablesService,
    DeliverablesStore,
    LoginsService,
    LoginsStore,
    PartsService,
    PartsStore,
    QueriesService,
    SmppDeliveries,
    SmppServer,
    SubmitsService,
  ],
})
export class SmppModule {}
