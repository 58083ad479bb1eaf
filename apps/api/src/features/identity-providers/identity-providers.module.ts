import { Module } from '@nestjs/common';
import { IdentityProvidersController } from './identity-providers.controller.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';
import { IdentityProvidersStore } from './identity-providers.store.ts';

@Module({
  controllers: [IdentityProvidersController],
  providers: [IdentityProvidersService, IdentityProvidersStore],
  exports: [IdentityProvidersService],
})
export class IdentityProvidersModule {}
