import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.ts';
import { JwtModule } from '@nestjs/jwt';
import { TelemetryModule } from '../telemetry/telemetry.module.ts';
import { AuthController } from './auth.controller.ts';
import { AuthService } from './auth.service.ts';
import { AuthStore } from './auth.store.ts';
import { Devices } from './devices.ts';
import { LoginLimit } from './login-limit.ts';
import { NewDevices } from './new-devices.ts';
import { PasswordChecks } from './password-checks.service.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import { PasskeysController } from './passkeys.controller.ts';
import { PasskeysService } from './passkeys.service.ts';
import { PasskeysStore } from './passkeys.store.ts';
import { SecondFactorController } from './second-factor.controller.ts';
import { SecondFactorService } from './second-factor.service.ts';
import { SecondFactorStore } from './second-factor.store.ts';
import { SecondFactors } from './second-factors.ts';
import { SecurityNotifications } from './security-notifications.ts';
import { SessionsController } from './sessions.controller.ts';
import { SessionsService } from './sessions.service.ts';
import { SessionsStore } from './sessions.store.ts';

@Module({
  imports: [BrandsModule, JwtModule.register({}), TelemetryModule],
  controllers: [AuthController, PasskeysController, SecondFactorController, SessionsController],
  providers: [
    AuthService,
    AuthStore,
    Devices,
    LoginLimit,
    NewDevices,
    PasskeyChallenges,
    PasskeysService,
    PasskeysStore,
    PasswordChecks,
    SecondFactors,
    SecondFactorService,
    SecondFactorStore,
    SecurityNotifications,
    SessionsService,
    SessionsStore,
  ],
  exports: [
    AuthService,
    Devices,
    PasswordChecks,
    SecondFactors,
    SecondFactorService,
    SecurityNotifications,
    SessionsService,
  ],
})
export class AuthModule {}
