import { Module } from '@nestjs/common';
import { ContactListsModule } from '../contact-lists/contact-lists.module.ts';
import { StorageModule } from '../storage/storage.module.ts';
import { TemplatesController } from './templates.controller.ts';
import { TemplatesService } from './templates.service.ts';
import { TemplatesStore } from './templates.store.ts';

@Module({
  imports: [ContactListsModule, StorageModule],
  controllers: [TemplatesController],
  providers: [TemplatesService, TemplatesStore],
  exports: [TemplatesService],
})
export class TemplatesModule {}
