import { Module } from '@nestjs/common';
import { AutoRepliesService } from './auto-replies.service.ts';
import { AutoRepliesStore } from './auto-replies.store.ts';

@Module({
  providers: [AutoRepliesService, AutoRepliesStore],
  exports: [AutoRepliesService],
})
export class AutoRepliesModule {}
