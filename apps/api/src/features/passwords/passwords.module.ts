import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { PasswordsController } from './passwords.controller.ts';
import { PasswordsService } from './passwords.service.ts';
import { PasswordsStore } from './passwords.store.ts';

@Module({
  imports: [AuthModule, UsersModule],
  controllers: [PasswordsController],
  providers: [PasswordsService, PasswordsStore],
})
export class PasswordsModule {}
