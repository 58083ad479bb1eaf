import type { Coordinates, Place } from '@heliograph/contract';
import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../../core/http/service-client.ts';
import { Geocoder, NOWHERE } from './geocoder.ts';

const TIMEOUT_MS = 15_000;
/** Its memory, some sixty megabytes, is given back when nobody asks for so long. */
const IDLE_MS = 5 * 60_000;
const MAX_HEAP_MB = 256;
const SCRIPT = new URL(`./places.worker${extname(import.meta.url)}`, import.meta.url);

interface Asked {
  resolve: (place: Place) => void;
  reject: (error: Error) => void;
}

/**
 * The towns and borders of the world, without a network. They are read when the first one asks, in a thread of their own, so
 * that nobody else waits for it. Towns: GeoNames (CC BY 4.0).
 */
export class LocalGeocoder extends Geocoder implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private readonly asked = new Map<number, Asked>();
  private count = 0;
  private idle: NodeJS.Timeout | undefined;

  override async locate(at: Coordinates): Promise<Place> {
    const worker = (this.worker ??= this.start());
    const id = this.count++;
    clearTimeout(this.idle);
    let timeout: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Place>((resolve, reject) => {
        this.asked.set(id, { resolve, reject });
        timeout = setTimeout(() => reject(unavailable('the geocoder is too slow')), TIMEOUT_MS);
        worker.postMessage({ id, at });
      });
    } finally {
      clearTimeout(timeout);
      this.asked.delete(id);
      if (!this.asked.size) this.idle = setTimeout(() => void this.stop(), IDLE_MS).unref();
    }
  }

  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** The next one who asks starts it anew. */
  private async stop(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(SCRIPT, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.unref();
    worker.on('message', ({ id, place }: { id: number; place: Place | null }) =>
      this.asked.get(id)?.resolve(place ?? NOWHERE),
    );
    const fail = (reason: string) => {
      if (this.worker === worker) this.worker = null;
      for (const { reject } of this.asked.values()) reject(unavailable(reason));
    };
    worker.on('error', ({ message }) => fail(`the geocoder failed: ${message}`));
    worker.on('exit', () => fail('the geocoder has ended'));
    return worker;
  }
}
