import { Module } from '@nestjs/common';
import { InstallationController } from './installation.controller.ts';
import { InstallationService } from './installation.service.ts';
import { InstallationStore } from './installation.store.ts';

@Module({
  controllers: [InstallationController],
  providers: [InstallationService, InstallationStore],
})
export class InstallationModule {}
