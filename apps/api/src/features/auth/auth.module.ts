import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TelemetryModule } from '../telemetry/telemetry.module.ts';
import { AuthController } from './auth.controller.ts';
import { AuthService } from './auth.service.ts';
import { AuthStore } from './auth.store.ts';
import { Devices } from './devices.ts';
import { LoginLimit } from './login-limit.ts';

@Module({
  imports: [JwtModule.register({}), TelemetryModule],
  controllers: [AuthController],
  providers: [AuthService, AuthStore, Devices, LoginLimit],
  exports: [AuthService],
})
export class AuthModule {}
