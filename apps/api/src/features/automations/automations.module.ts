import { Module } from '@nestjs/common';
import { ContactListsModule } from '../contact-lists/contact-lists.module.ts';
import { ContactsModule } from '../contacts/contacts.module.ts';
import { QuietHoursModule } from '../quiet-hours/quiet-hours.module.ts';
import { SegmentsModule } from '../segments/segments.module.ts';
import { SendingsModule } from '../sendings/sendings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { TemplatesModule } from '../templates/templates.module.ts';
import { AutomationRunner } from './automation-runner.ts';
import { AutomationRunsStore } from './automation-runs.store.ts';
import { AutomationScanner } from './automation-scanner.ts';
import { AutomationsController } from './automations.controller.ts';
import { AutomationsService } from './automations.service.ts';
import { AutomationsStore } from './automations.store.ts';

@Module({
  imports: [
    ContactListsModule,
    ContactsModule,
    QuietHoursModule,
    SegmentsModule,
    SendingsModule,
    SettingsModule,
    TemplatesModule,
  ],
  controllers: [AutomationsController],
  providers: [
    AutomationRunner,
    AutomationRunsStore,
    AutomationScanner,
    AutomationsService,
    AutomationsStore,
  ],
  exports: [AutomationsService],
})
export class AutomationsModule {}
