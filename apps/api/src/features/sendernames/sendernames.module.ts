import { Module } from '@nestjs/common';
import { SendernamesController } from './sendernames.controller.ts';
import { SendernamesService } from './sendernames.service.ts';
import { SendernamesStore } from './sendernames.store.ts';

@Module({
  controllers: [SendernamesController],
  providers: [SendernamesService, SendernamesStore],
  exports: [SendernamesService],
})
export class SendernamesModule {}
