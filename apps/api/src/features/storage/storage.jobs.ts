import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { Files } from '../../core/files/files.ts';
import { Sweeps } from '../../core/jobs/handlers.ts';
import { Retention } from '../../core/retention.ts';
import { StorageService } from './storage.service.ts';

/** Longer than any upload or import takes. */
const LEFTOVER_MS = 24 * 3_600_000;
/** Less than all ids. */
const MIN_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class StorageJobs {
  private cursor = MIN_ID;

  constructor(
    private readonly service: StorageService,
    private readonly files: Files,
    private readonly config: Config,
    private readonly retention: Retention,
  ) {}

  @Sweeps(60_000)
  dropExpired(): Promise<boolean> {
    return this.service.deleteExpired();
  }

  /** Deletes old files without references, in cycles over all files. */
  @Sweeps(60_000)
  async deleteOld(): Promise<boolean> {
    const before = this.retention.before(this.config.RETENTION_FILES_DAYS);
    if (!before) return false;
    const last = await this.service.dropUnneeded(this.cursor, before);
    this.cursor = last ?? MIN_ID;
    return last !== null;
  }

  /** Checks one of 256 folders per minute, so all of them in about four hours. */
  @Sweeps(60_000)
  removeOrphans(): Promise<void> {
    return this.service.removeOrphans(Math.floor(Date.now() / 60_000) % 256, LEFTOVER_MS);
  }

  /** Unfinished uploads and imports of a process that was killed. */
  @Sweeps(3_600_000)
  dropLeftovers(): Promise<void> {
    return this.files.dropIncoming(LEFTOVER_MS);
  }
}
