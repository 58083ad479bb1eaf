import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.ts';
import { CertificatesService } from './certificates.service.ts';
import { CertificatesStore } from './certificates.store.ts';
import { FailedJobsService } from './failed-jobs.service.ts';
import { InstallationController } from './installation.controller.ts';
import { InstallationSettingsService } from './installation-settings.service.ts';
import { InstallationSettingsStore } from './installation-settings.store.ts';
import { InstallationService } from './installation.service.ts';
import { InstallationStore } from './installation.store.ts';

@Module({
  controllers: [InstallationController],
  imports: [ChannelsModule],
  providers: [
    CertificatesService,
    CertificatesStore,
    FailedJobsService,
    InstallationService,
    InstallationStore,
    InstallationSettingsService,
    InstallationSettingsStore,
  ],
})
export class InstallationModule {}
