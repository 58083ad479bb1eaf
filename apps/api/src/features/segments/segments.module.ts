import { Module } from '@nestjs/common';
import { ContactListsModule } from '../contact-lists/contact-lists.module.ts';
import { SettingsModule } from '../settings/settings.module.ts';
import { SegmentsController } from './segments.controller.ts';
import { SegmentsService } from './segments.service.ts';
import { SegmentsStore } from './segments.store.ts';

@Module({
  imports: [ContactListsModule, SettingsModule],
  controllers: [SegmentsController],
  providers: [SegmentsService, SegmentsStore],
  exports: [SegmentsService],
})
export class SegmentsModule {}
