/** What a look-up of a number says besides whether it can be reached. What the carrier does not say is undefined. */
export interface NumberLookup {
  /** MCC and MNC of the network that serves the number now, and of that to which it was given first. */
  network?: string;
  origin?: string;
  /** Whether the number was taken to another network, and whether its phone is in a foreign one. */
  ported?: boolean;
  roaming?: boolean;
}

/** As carriers write it. */
export type SaidLookup = Partial<Record<keyof NumberLookup, unknown>>;

const YES = new Set(['true', '1', 'yes']);
const NO = new Set(['false', '0', 'no']);

/**
 * A look-up as it is stored; undefined if nothing of it can be read.
 *
 *     numberLookup({ network: '250-1', ported: 'yes', roaming: '?' }) // { network: '25001', ported: true }
 */
export function numberLookup({
  network,
  origin,
  ported,
  roaming,
}: SaidLookup): NumberLookup | undefined {
  const read = {
    network: networkCode(network),
    origin: networkCode(origin),
    ported: truthOf(ported),
    roaming: truthOf(roaming),
  };
  const known = Object.entries(read).filter(([, value]) => value !== undefined);
  return known.length ? (Object.fromEntries(known) as NumberLookup) : undefined;
}

function networkCode(said: unknown): string | undefined {
  const text = typeof said === 'string' || typeof said === 'number' ? String(said) : '';
  if (text.length > 10) return undefined;
  const [, mcc, mnc] = /^([2-7]\d\d)[-/ ]?(\d{1,3})$/.exec(text) ?? [];
  return mcc && mcc + mnc!.padStart(2, '0');
}

function truthOf(said: unknown): boolean | undefined {
  const text = typeof said === 'object' ? '' : String(said).slice(0, 10).toLowerCase();
  return YES.has(text) ? true : NO.has(text) ? false : undefined;
}
