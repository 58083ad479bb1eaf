import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { AuthModule } from '../auth/auth.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { PasswordsController } from './passwords.controller.ts';
import { PasswordsService } from './passwords.service.ts';
import { PasswordsStore } from './passwords.store.ts';

@Module({
  imports: [BrandsModule, AuthModule, UsersModule],
  controllers: [PasswordsController],
  providers: [PasswordsService, PasswordsStore],
})
export class PasswordsModule {}
