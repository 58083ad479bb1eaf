import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { ConversationsModule } from '../conversations/conversations.module.ts';
import { RecoveryModule } from '../recovery/recovery.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { MembersController } from './members.controller.ts';
import { MembersService } from './members.service.ts';
import { MembersStore } from './members.store.ts';

@Module({
  imports: [AuthModule, ConversationsModule, RecoveryModule, UsersModule],
  controllers: [MembersController],
  providers: [MembersService, MembersStore],
  exports: [MembersService],
})
export class MembersModule {}
