import { Controller, Req } from '@nestjs/common';
import { installation, type ParsedRequest, type ResponseOf } from '@heliograph/contract';
import type { Request } from 'express';
import type { Actor } from '../../core/auth/actor.ts';
import { CurrentActor, Endpoint, Input } from '../../core/http/endpoint.ts';
import { localeOf } from '../../core/http/visitor.ts';
import { FailedJobsService } from './failed-jobs.service.ts';
import { InstallationSettingsService } from './installation-settings.service.ts';
import { InstallationService } from './installation.service.ts';

@Controller()
export class InstallationController {
  constructor(
    private readonly service: InstallationService,
    private readonly changes: InstallationSettingsService,
    private readonly jobs: FailedJobsService,
  ) {}

  @Endpoint(installation.get)
  get(): Promise<ResponseOf<typeof installation.get>> {
    return this.service.state();
  }

  @Endpoint(installation.retryJob)
  retryJob(
    @Input() { params }: ParsedRequest<typeof installation.retryJob>,
  ): Promise<ResponseOf<typeof installation.retryJob>> {
    return this.jobs.retry(params.id);
  }

  @Endpoint(installation.retryJobs)
  retryJobs(
    @Input() { body }: ParsedRequest<typeof installation.retryJobs>,
  ): Promise<ResponseOf<typeof installation.retryJobs>> {
    return this.jobs.retryAll(body.queue);
  }

  @Endpoint(installation.removeJob)
  removeJob(
    @Input() { params }: ParsedRequest<typeof installation.removeJob>,
  ): Promise<ResponseOf<typeof installation.removeJob>> {
    return this.jobs.remove(params.id);
  }

  @Endpoint(installation.start)
  start(): Promise<ResponseOf<typeof installation.start>> {
    return this.changes.start();
  }

  @Endpoint(installation.settings)
  settings(): Promise<ResponseOf<typeof installation.settings>> {
    return this.changes.find();
  }

  @Endpoint(installation.update)
  update(
    @CurrentActor() actor: Actor,
    @Input() { body }: ParsedRequest<typeof installation.update>,
  ): Promise<ResponseOf<typeof installation.update>> {
    return this.changes.update(actor, body);
  }

  @Endpoint(installation.testMail)
  testMail(
    @CurrentActor() actor: Actor,
    @Req() request: Request,
  ): Promise<ResponseOf<typeof installation.testMail>> {
    return this.changes.testMail(actor, localeOf(request));
  }
}
