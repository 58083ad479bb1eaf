import { Module } from '@nestjs/common';
import { TasksController } from './tasks.controller.ts';
import { TaskFiguresStore } from './task-figures.store.ts';
import { TasksService } from './tasks.service.ts';
import { TasksStore } from './tasks.store.ts';

@Module({
  controllers: [TasksController],
  providers: [TasksService, TasksStore, TaskFiguresStore],
  exports: [TasksService],
})
export class TasksModule {}
