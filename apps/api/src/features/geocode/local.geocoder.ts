import type { Coordinates, Place } from '@heliograph/contract';
import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../../core/http/service-client.ts';
import { Geocoder, NOWHERE } from './geocoder.ts';

const TIMEOUT_MS = 15_000;
/** The worker, which uses about 60 MB, is stopped when it is idle for this long. */
const IDLE_MS = 5 * 60_000;
const MAX_HEAP_MB = 256;
const SCRIPT = new URL(`./places.worker${extname(import.meta.url)}`, import.meta.url);

interface PendingRequest {
  resolve: (place: Place) => void;
  reject: (error: Error) => void;
}

/**
 * Offline reverse geocoding with bundled towns and borders. The data is loaded on first use in a worker thread, which does
 * not block the event loop. Towns: GeoNames (CC BY 4.0).
 */
export class LocalGeocoder extends Geocoder implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, PendingRequest>();
  private count = 0;
  private idle: NodeJS.Timeout | undefined;

  override async locate(at: Coordinates): Promise<Place> {
    const worker = (this.worker ??= this.start());
    const id = this.count++;
    clearTimeout(this.idle);
    let timeout: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Place>((resolve, reject) => {
        this.pending.set(id, { resolve, reject });
        timeout = setTimeout(() => reject(unavailable('the geocoder timed out')), TIMEOUT_MS);
        worker.postMessage({ id, at });
      });
    } finally {
      clearTimeout(timeout);
      this.pending.delete(id);
      if (!this.pending.size) this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** The next request starts a new worker. */
  private async stop(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    if (!worker) return;
    this.end(worker, 'the geocoder was stopped');
    await worker.terminate();
  }

  private start(): Worker {
    const worker = new Worker(SCRIPT, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.on('message', ({ id, place }: { id: number; place: Place | null }) =>
      this.pending.get(id)?.resolve(place ?? NOWHERE),
    );
    worker.on('error', ({ message }) => this.end(worker, `the geocoder failed: ${message}`));
    worker.on('exit', () => this.end(worker, 'the geocoder exited'));
    return worker;
  }

  /** Once per worker: when a stopped one exits, the pending requests are those of its successor. */
  private end(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.pending.values()) reject(unavailable(reason));
  }
}
