import { Module } from '@nestjs/common';
import { LinksModule } from '../links/links.module.ts';
import { ResendRecipientsStore } from './resend-recipients.store.ts';
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
import { VariantsService } from './variants.service.ts';
import { VariantsStore } from './variants.store.ts';

@Module({
  imports: [LinksModule],
  controllers: [TasksController],
  providers: [
    ResendRecipientsStore,
    OtherTasksService,
    OtherTasksStore,
    TaskFiguresStore,
    TaskProgressStore,
    TaskStatesService,
    TaskSuspensionsService,
    TaskSweepsService,
    TasksService,
    TasksStore,
    VariantsService,
    VariantsStore,
  ],
  exports: [OtherTasksService, TaskSuspensionsService, TasksService, VariantsService],
})
export class TasksModule {}
