import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { MessagePackagesStore } from './message-packages.store.ts';
import { PackageOffersStore } from './package-offers.store.ts';
import { PackagesController } from './packages.controller.ts';
import { PackagesService } from './packages.service.ts';

@Module({
  imports: [BillingsModule, SettingsModule, UsersModule],
  controllers: [PackagesController],
  providers: [MessagePackagesStore, PackageOffersStore, PackagesService],
})
export class PackagesModule {}
