import { Injectable } from '@nestjs/common';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { StorageService } from './storage.service.ts';

@Injectable()
export class StorageJobs {
  constructor(private readonly service: StorageService) {}

  @Sweeps(60_000)
  dropExpired(): Promise<void> {
    return this.service.sweep();
  }
}
