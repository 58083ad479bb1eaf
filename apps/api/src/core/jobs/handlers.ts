import { SetMetadata } from '@nestjs/common';
import type { JobName } from './catalog.ts';

export const JOB = 'heliograph:job';
export const SWEEP = 'heliograph:sweep';

/** The one handler of a job. */
export const HandlesJob = (name: JobName): MethodDecorator => SetMetadata(JOB, name);

/**
 * Runs in one worker at a time, every so many milliseconds: finds what is due and rings, or mends what lapsed. Does a bounded
 * piece of work; true when there is more of it, which is then done at once.
 */
export const Sweeps = (everyMs: number): MethodDecorator => SetMetadata(SWEEP, everyMs);
