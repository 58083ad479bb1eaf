import { Module } from '@nestjs/common';
import { TasksController } from './tasks.controller.ts';
import { TasksService } from './tasks.service.ts';
import { TasksStore } from './tasks.store.ts';

@Module({
  controllers: [TasksController],
  providers: [TasksService, TasksStore],
  exports: [TasksService],
})
export class TasksModule {}
