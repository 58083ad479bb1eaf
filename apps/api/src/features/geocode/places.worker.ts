import type { Coordinates } from '@heliograph/contract';
import { parentPort } from 'node:worker_threads';
import { Places } from './places.ts';

const places = new Places();
parentPort!.on('message', ({ id, at }: { id: number; at: Coordinates }) => {
  parentPort!.postMessage({ id, place: places.locate(at) });
});
