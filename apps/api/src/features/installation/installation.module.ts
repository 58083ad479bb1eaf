import { Module } from '@nestjs/common';
import { FailedJobsService } from './failed-jobs.service.ts';
import { InstallationController } from './installation.controller.ts';
import { InstallationSettingsService } from './installation-settings.service.ts';
import { InstallationSettingsStore } from './installation-settings.store.ts';
import { InstallationService } from './installation.service.ts';
import { InstallationStore } from './installation.store.ts';

@Module({
  controllers: [InstallationController],
  providers: [
    FailedJobsService,
    InstallationService,
    InstallationStore,
    InstallationSettingsService,
    InstallationSettingsStore,
  ],
})
export class InstallationModule {}
