import { Module } from '@nestjs/common';
import { SendernamesModule } from '../sendernames/sendernames.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { UsersController } from './users.controller.ts';
import { UsersService } from './users.service.ts';
import { UsersStore } from './users.store.ts';

@Module({
  imports: [SettingsModule, TariffsModule, SendernamesModule],
  controllers: [UsersController],
  providers: [UsersService, UsersStore],
  exports: [UsersService],
})
export class UsersModule {}
