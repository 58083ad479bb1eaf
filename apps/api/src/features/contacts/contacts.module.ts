import { Module } from '@nestjs/common';
import { ContactListsModule } from '../contact-lists/contact-lists.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { ContactFieldsController } from './contact-fields.controller.ts';
import { ContactFieldsService } from './contact-fields.service.ts';
import { ContactFieldsStore } from './contact-fields.store.ts';
import { ContactsController } from './contacts.controller.ts';
import { ContactsService } from './contacts.service.ts';
import { ContactsStore } from './contacts.store.ts';
import { ImportService } from './import/import.service.ts';
import { ImportStore } from './import/import.store.ts';

@Module({
  imports: [ContactListsModule, SettingsModule, StorageModule],
  controllers: [ContactFieldsController, ContactsController],
  providers: [
    ContactFieldsService,
    ContactFieldsStore,
    ContactsService,
    ContactsStore,
    ImportService,
    ImportStore,
  ],
  exports: [ContactFieldsService, ContactsService],
})
export class ContactsModule {}
