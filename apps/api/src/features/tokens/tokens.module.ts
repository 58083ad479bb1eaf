import { Module } from '@nestjs/common';
import { TokenExpiryService } from './token-expiry.service.ts';
import { TokensController } from './tokens.controller.ts';
import { TokensService } from './tokens.service.ts';
import { TokensStore } from './tokens.store.ts';

@Module({
  controllers: [TokensController],
  providers: [TokensService, TokensStore, TokenExpiryService],
})
export class TokensModule {}
