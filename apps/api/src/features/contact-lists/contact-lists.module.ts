import { Module } from '@nestjs/common';
import { ContactListsController } from './contact-lists.controller.ts';
import { ContactListsService } from './contact-lists.service.ts';
import { ContactListsStore } from './contact-lists.store.ts';

@Module({
  controllers: [ContactListsController],
  providers: [ContactListsService, ContactListsStore],
  exports: [ContactListsService],
})
export class ContactListsModule {}
