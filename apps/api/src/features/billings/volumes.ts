import { documentMonth, volumeStep, type VolumeStep } from '@heliograph/domain';
import { volumeKey, type TariffVolume } from './tariff-volumes.store.ts';

/** A tariff with steps that prices a message. */
export interface SteppedTariff {
  TariffId: string;
  steps: readonly VolumeStep[];
}

/** By what volume a message is priced. */
export interface VolumeUse extends TariffVolume {
  /** The number of its step, 0 before the first one. */
  number: number;
  /** Units before it. */
  before: number;
  /** What was billed when the volume was read. */
  read: number;
  /** It has this step from so many units before it, and below so many. */
  from: number;
  until: number;
}

/** The volumes of accounts while messages are priced in their order. */
export class Volumes {
  private readonly read: ReadonlyMap<string, number>;
  private readonly units: Map<string, number>;
  private crossed = false;
  private last: { at: Date; month: string } | null = null;

  constructor(volumes: readonly TariffVolume[]) {
    this.read = new Map(volumes.map((volume) => [volumeKey(volume), volume.units]));
    this.units = new Map(this.read);
  }

  /** Of an account that was billed for so many units in the month of a time. */
  static stated(OwnerId: string, { TariffId }: SteppedTariff, units: number, at: Date): Volumes {
    return new Volumes([{ OwnerId, TariffId, month: documentMonth(at).day, units }]);
  }

  /** Whether a step began since the volumes were read. */
  get hasCrossed(): boolean {
    return this.crossed;
  }

  /** The step of a message of so many units at a time, which counts when it is paid. */
  use(
    OwnerId: string,
    { TariffId, steps }: SteppedTariff,
    units: number,
    at: Date,
  ): { step: VolumeStep | null; next: VolumeStep | null; use: VolumeUse } {
    if (this.last?.at !== at) this.last = { at, month: documentMonth(at).day };
    const { month } = this.last;
    const key = volumeKey({ OwnerId, TariffId, month });
    const read = this.read.get(key) ?? 0;
    const before = this.units.get(key) ?? 0;
    const { number, step, next } = volumeStep(steps, before);
    this.crossed ||= number !== volumeStep(steps, read).number;
    const range = { from: step?.from ?? 0, until: next?.from ?? Infinity };
    return { step, next, use: { OwnerId, TariffId, month, units, number, before, read, ...range } };
  }

  /** A message is paid. Of a sample, it stands for `factor` messages. */
  count({ units, ...of }: VolumeUse, factor = 1): void {
    const key = volumeKey(of);
    this.units.set(key, (this.units.get(key) ?? 0) + units * factor);
  }
}

/** Whether messages that were priced by a volume have another step by what it was when they were charged. */
export function isStale(
  uses: readonly VolumeUse[],
  after: readonly TariffVolume[],
  added: readonly TariffVolume[],
): boolean {
  const sums = new Map(added.map((volume) => [volumeKey(volume), volume.units]));
  const charged = new Map(
    after.map((volume) => {
      const key = volumeKey(volume);
      return [key, volume.units - (sums.get(key) ?? 0)];
    }),
  );
  return uses.some((use) => {
    const before = use.before + charged.get(volumeKey(use))! - use.read;
    return before < use.from || before >= use.until;
  });
}
