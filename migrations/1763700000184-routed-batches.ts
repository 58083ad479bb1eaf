import { ConcurrentIndexes } from './concurrently.ts';

/** Waiting messages whose channel is to be decided again, and those that wait for another channel than their first. */
export class RoutedBatches1763700000184 extends ConcurrentIndexes {
  protected readonly indexes = {
    batches_route_version: 'on batches (route_version) where stage = 0 and unknown_outcomes = 0',
    batches_diverted:
      'on batches (route_id, id) where stage = 0 and unknown_outcomes = 0 and route_channels[1] <> channel',
  };
}
