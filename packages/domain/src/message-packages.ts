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

/** What packages cover of messages, in their order. Times `factor`, by which there are more messages than these. */
export function coveredOf(
  packages: readonly OpenPackage[],
  messages: readonly (PackageMessage & { amount: Money })[],
  factor: number,
): { count: number; units: number; amount: Money } {
  const units = new PackageUnits(packages, 1 / factor);
  const covered = messages.filter((message) => message.amount > 0n && units.take(message));
  const scale = (n: number) => Math.floor(n * factor);
  const amount = covered.reduce((sum, one) => sum + one.amount, 0n);
  return {
    count: scale(covered.length),
    units: scale(covered.reduce((sum, one) => sum + one.units, 0)),
    amount: factor === 1 ? amount : BigInt(scale(Number(amount))),
  };
}
