import { SetMetadata } from '@nestjs/common';
import type { JobName } from './catalog.ts';

export const JOB = 'heliograph:job';
export const SWEEP = 'heliograph:sweep';

/** Marks the only handler of a job. */
export const HandlesJob = (name: JobName): MethodDecorator => SetMetadata(JOB, name);

/**
 * Marks a method that runs periodically in one worker at a time: it enqueues due work or reclaims expired leases. Each run
 * does a bounded amount of work and returns true if there is more, which runs immediately.
 */
export const Sweeps = (everyMs: number): MethodDecorator => SetMetadata(SWEEP, everyMs);
