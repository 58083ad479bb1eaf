import { Injectable } from '@nestjs/common';
import { Files } from '../../core/files/files.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { StorageService } from './storage.service.ts';

/** No upload and no import takes so long. */
const LEFTOVER_MS = 24 * 3_600_000;

@Injectable()
export class StorageJobs {
  constructor(
    private readonly service: StorageService,
    private readonly files: Files,
  ) {}

  @Sweeps(60_000)
  dropExpired(): Promise<boolean> {
    return this.service.sweep();
  }

  /** All 256 folders within some four hours. */
  @Sweeps(60_000)
  reap(): Promise<void> {
    return this.service.reap(Math.floor(Date.now() / 60_000) % 256, LEFTOVER_MS);
  }

  /** Uploads and imports that were interrupted together with their process. */
  @Sweeps(3_600_000)
  dropLeftovers(): Promise<void> {
    return this.files.dropIncoming(LEFTOVER_MS);
  }
}
