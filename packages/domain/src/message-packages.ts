import { mccmncTest } from './pricing-conditions.ts';
import type { Money } from './money.ts';
import type { SendingType } from './types.ts';

/** Prepaid units that may be used now. */
export interface OpenPackage {
  id: string;
  types: readonly SendingType[];
  /** As in tariffs: `25001` is a network, `401*` a country; empty for all. */
  mccmnc: readonly string[];
  left: number;
}

/** What packages look at. */
export interface PackageMessage {
  type: SendingType;
  mccmnc: string | null;
  /** Its segments. */
  units: number;
}

/** How many days before its end the owner of a package is notified of what is left. */
export const PACKAGE_NOTICE_DAYS = 3;

/** The used share of a package in percent at which its owner is notified, 80 and 100; else 0. */
export function usedShare({ units, left }: { units: number; left: number }): 0 | 80 | 100 {
  if (left <= 0) return 100;
  return left * 5 <= units ? 80 : 0;
}

/** The open packages of an account, in the order of their ends. */
export class PackageUnits {
  private readonly packages: (OpenPackage & { fits: (message: PackageMessage) => boolean })[];
  private short = false;

  /** Of `share` of 0.5 half of the units are used. */
  constructor(packages: readonly OpenPackage[], share = 1) {
    this.packages = packages.map((one) => ({
      ...one,
      left: Math.floor(one.left * share),
      fits: packageTest(one),
    }));
  }

  /** Whether a package that fits a message had too few units for it. */
  get isShort(): boolean {
    return this.short;
  }

  /** Whether a package has all units of a message. */
  covers(message: PackageMessage): boolean {
    return this.packages.some((one) => one.left >= message.units && one.fits(message));
  }

  /** Takes all units of a message from the first package that has them. Returns its id; null if none has. */
  take(message: PackageMessage): string | null {
    const fitting = this.packages.filter((one) => one.fits(message));
    const covering = fitting.find(({ left }) => left >= message.units);
    if (!covering) {
      this.short ||= fitting.length > 0;
      return null;
    }
    covering.left -= message.units;
    return covering.id;
  }
}

/** Whether messages are covered by a package as far as it has units. */
export function packageTest({
  types,
  mccmnc,
}: Pick<OpenPackage, 'types' | 'mccmnc'>): (
  message: Pick<PackageMessage, 'type' | 'mccmnc'>,
) => boolean {
  const isNetwork = mccmnc.length ? mccmncTest(mccmnc) : () => true;
  return (message) => types.includes(message.type) && isNetwork(message);
}

/** What packages cover of messages, in their order. There are `factor` times as many messages as are added. */
export class CoveredSum {
  private readonly left: PackageUnits;
  private readonly factor: number;
  private count = 0;
  private units = 0;
  private amount: Money = 0n;

  constructor(packages: readonly OpenPackage[], factor: number) {
    this.left = new PackageUnits(packages, 1 / factor);
    this.factor = factor;
  }

  /** Whether a package covers a message. */
  add(message: PackageMessage & { amount: Money }): boolean {
    if (message.amount <= 0n || !this.left.take(message)) return false;
    this.count++;
    this.units += message.units;
    this.amount += message.amount;
    return true;
  }

  total(): { count: number; units: number; amount: Money } {
    const scale = (n: number) => Math.floor(n * this.factor);
    const amount = this.factor === 1 ? this.amount : BigInt(scale(Number(this.amount)));
    return { count: scale(this.count), units: scale(this.units), amount };
  }
}
