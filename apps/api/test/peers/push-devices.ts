import type { PushDevice, PushDevices } from '../../src/channels/channel.ts';

/** For channels that carry no push messages. */
export const NO_DEVICES: PushDevices = {
  of: () => Promise.reject(new Error('no devices')),
  remove: () => Promise.reject(new Error('no devices')),
};

/** The devices of a test, by the references of messages. */
export class Devices implements PushDevices {
  readonly removed: string[] = [];
  isAway = false;

  constructor(private readonly byReference: Record<string, PushDevice[]>) {}

  of(references: readonly string[]): Promise<Map<string, PushDevice[]>> {
    if (this.isAway) return Promise.reject(new Error('The store is away'));
    const known = Object.entries(this.byReference);
    return Promise.resolve(new Map(known.filter(([reference]) => references.includes(reference))));
  }

  remove(ids: readonly string[]): Promise<void> {
    this.removed.push(...ids);
    return this.isAway ? Promise.reject(new Error('The store is away')) : Promise.resolve();
  }
}
