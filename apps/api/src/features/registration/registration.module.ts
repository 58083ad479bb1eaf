import { Module } from '@nestjs/common';
import { BillingsModule } from '../billings/billings.module.ts';
import { CaptchaModule } from '../captcha/captcha.module.ts';
import { SendernamesModule } from '../sendernames/sendernames.module.ts';
import { TariffsModule } from '../tariffs/tariffs.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { RegistrationController } from './registration.controller.ts';
import { RegistrationService } from './registration.service.ts';

@Module({
  imports: [UsersModule, TariffsModule, BillingsModule, CaptchaModule, SendernamesModule],
  controllers: [RegistrationController],
  providers: [RegistrationService],
})
export class RegistrationModule {}
