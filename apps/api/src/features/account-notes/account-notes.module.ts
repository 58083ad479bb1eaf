import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.ts';
import { AccountNotesController } from './account-notes.controller.ts';
import { AccountNotesService } from './account-notes.service.ts';
import { AccountNotesStore } from './account-notes.store.ts';

@Module({
  imports: [UsersModule],
  controllers: [AccountNotesController],
  providers: [AccountNotesService, AccountNotesStore],
})
export class AccountNotesModule {}
