import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.ts';
import { IdentityProvidersController } from './identity-providers.controller.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';
import { IdentityProvidersStore } from './identity-providers.store.ts';

@Module({
  imports: [AuthModule],
  controllers: [IdentityProvidersController],
  providers: [IdentityProvidersService, IdentityProvidersStore],
  exports: [IdentityProvidersService],
})
export class IdentityProvidersModule {}
