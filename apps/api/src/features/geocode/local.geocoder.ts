import type { Coordinates, Place } from '@heliograph/contract';
import type { OnApplicationShutdown } from '@nestjs/common';
import { extname } from 'node:path';
import { WorkerThread } from '../../core/worker-thread.ts';
import { Geocoder, NOWHERE } from './geocoder.ts';

const SCRIPT = new URL(`./places.worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Offline reverse geocoding with bundled towns and borders. The data is loaded on first use in a worker thread, which uses
 * about 60 MB and does not block the event loop. Towns: GeoNames (CC BY 4.0).
 */
export class LocalGeocoder extends Geocoder implements OnApplicationShutdown {
  private readonly thread = new WorkerThread<Coordinates, Place | null>(SCRIPT, {
    name: 'the geocoder',
    maxHeapMb: 256,
    timeoutMs: 15_000,
  });

  override async locate(at: Coordinates): Promise<Place> {
    return (await this.thread.run(at)) ?? NOWHERE;
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.stop();
  }
}
