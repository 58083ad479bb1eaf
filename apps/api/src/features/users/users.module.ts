import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { AuthModule } from '../auth/auth.module.ts';
import { AccountGroupsModule } from '../account-groups/account-groups.module.ts';
import { PatternsModule } from '../patterns/patterns.module.ts';
import { SendernamesModule } from '../sendernames/sendernames.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { TasksModule } from '../tasks/tasks.module.ts';
import { EmailChangesService } from './email-changes.service.ts';
import { EmailChangesStore } from './email-changes.store.ts';
import { EmailsController } from './emails.controller.ts';
import { SetupController } from './setup.controller.ts';
import { SetupService } from './setup.service.ts';
import { SuspensionsService } from './suspensions.service.ts';
import { SuspensionsStore } from './suspensions.store.ts';
import { UsersController } from './users.controller.ts';
import { UsersService } from './users.service.ts';
import { UsersStore } from './users.store.ts';

@Module({
  imports: [
    BrandsModule,
    AccountGroupsModule,
    AuthModule,
    SettingsModule,
    TariffsModule,
    PatternsModule,
    SendernamesModule,
    TasksModule,
  ],
  controllers: [UsersController, EmailsController, SetupController],
  providers: [
    EmailChangesService,
    EmailChangesStore,
    SetupService,
    SuspensionsService,
    SuspensionsStore,
    UsersService,
    UsersStore,
  ],
  exports: [SetupService, SuspensionsService, UsersService],
})
export class UsersModule {}
