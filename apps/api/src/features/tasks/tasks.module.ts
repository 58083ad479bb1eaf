import { Module } from '@nestjs/common';
import { FailedRecipientsStore } from './failed-recipients.store.ts';
import { OtherTasksService } from './other-tasks.service.ts';
import { OtherTasksStore } from './other-tasks.store.ts';
import { TaskFiguresStore } from './task-figures.store.ts';
import { TaskProgressStore } from './task-progress.store.ts';
import { TaskStatesService } from './task-states.service.ts';
import { TaskSuspensionsService } from './task-suspensions.service.ts';
import { TaskSweepsService } from './task-sweeps.service.ts';
import { TasksController } from './tasks.controller.ts';
import { TasksService } from './tasks.service.ts';
import { TasksStore } from './tasks.store.ts';

@Module({
  controllers: [TasksController],
  providers: [
    FailedRecipientsStore,
    OtherTasksService,
    OtherTasksStore,
    TaskFiguresStore,
    TaskProgressStore,
    TaskStatesService,
    TaskSuspensionsService,
    TaskSweepsService,
    TasksService,
    TasksStore,
  ],
  exports: [OtherTasksService, TaskSuspensionsService, TasksService],
})
export class TasksModule {}
