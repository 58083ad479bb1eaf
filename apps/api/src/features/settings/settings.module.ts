import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.ts';
import { SettingsUserModule } from '../settings-user/settings-user.module.ts';
import { SettingsController } from './settings.controller.ts';
import { SettingsService } from './settings.service.ts';
import { SettingsStore } from './settings.store.ts';

@Module({
  imports: [BrandsModule, IdentityProvidersModule, SettingsUserModule],
  controllers: [SettingsController],
  providers: [SettingsService, SettingsStore],
  exports: [SettingsService],
})
export class SettingsModule {}
