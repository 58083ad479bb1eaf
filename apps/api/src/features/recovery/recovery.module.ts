import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { AuthModule } from '../auth/auth.module.ts';
import { CaptchaModule } from '../captcha/captcha.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { InvitationsService } from './invitations.service.ts';
import { RecoveryController } from './recovery.controller.ts';
import { RecoveryService } from './recovery.service.ts';
import { RecoveryStore } from './recovery.store.ts';

@Module({
  imports: [BrandsModule, AuthModule, CaptchaModule, UsersModule],
  controllers: [RecoveryController],
  providers: [InvitationsService, RecoveryService, RecoveryStore],
  exports: [InvitationsService],
})
export class RecoveryModule {}
