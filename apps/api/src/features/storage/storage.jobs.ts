import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { Files } from '../../core/files/files.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { StorageService } from './storage.service.ts';

/** No upload and no import takes so long. */
const LEFTOVER_MS = 24 * 3_600_000;
/** Before all ids. */
const FIRST = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class StorageJobs {
  private lookedAt = FIRST;

  constructor(
    private readonly service: StorageService,
    private readonly files: Files,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  @Sweeps(60_000)
  dropExpired(): Promise<boolean> {
    return this.service.sweep();
  }

  /** What nothing needs any more, some time after it was uploaded: from one file to the next, and round again. */
  @Sweeps(60_000)
  async deleteOld(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_FILES_DAYS);
    if (!before) return false;
    const last = await this.service.dropUnneeded(this.lookedAt, before);
    this.lookedAt = last ?? FIRST;
    return last !== null;
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
