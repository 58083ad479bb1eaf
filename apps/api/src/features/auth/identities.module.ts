import { Module } from '@nestjs/common';
import { IdentityProvidersModule } from '../identity-providers/identity-providers.module.ts';
import { MembersModule } from '../members/members.module.ts';
import { AuthModule } from './auth.module.ts';
import { IdentitiesController } from './identities.controller.ts';
import { IdentitiesService } from './identities.service.ts';
import { IdentitiesStore } from './identities.store.ts';
import { OidcClient } from './oidc-client.ts';
import { OidcVisits } from './oidc-visits.ts';

/** Apart from `AuthModule`, on which the members depend whom it adds. */
@Module({
  imports: [AuthModule, IdentityProvidersModule, MembersModule],
  controllers: [IdentitiesController],
  providers: [IdentitiesService, IdentitiesStore, OidcClient, OidcVisits],
})
export class IdentitiesModule {}
