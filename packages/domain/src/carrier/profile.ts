/** Times in milliseconds, from and to, both reached. */
export type Delay = [from: number, to: number];

export interface CarrierProfile {
  /** Weights 0..1 of how an accepted message ends; what is left of 1 is delivered. */
  failed: number;
  temporary: number;
  /** Accepted and never reported: drives the timeouts of fallbacks and the platform's expiry. */
  silent: number;
  /** Of the delivered ones, where the channel tells of reading at all. */
  seen: number;
  /** Of every handover: "too fast, come back later". Rolled anew at each try. */
  throttled: number;
  /** Refused at handover, for good. */
  rejected: number;
  /** Takes nothing at all. What it took before is still reported. */
  down: boolean;
  /** From the handover to `sent`, from `sent` to the outcome, from `delivered` to `seen`. */
  sentDelay: Delay;
  deliveredDelay: Delay;
  seenDelay: Delay;
  /** The last report comes twice; the outcome is reported before `sent`. */
  duplicates: number;
  disorder: number;
  /** Of the delivered ones, on channels that can answer. */
  replies: number;
}

const healthy: CarrierProfile = {
  failed: 0.02,
  temporary: 0.005,
  silent: 0,
  seen: 0.6,
  throttled: 0,
  rejected: 0,
  down: false,
  sentDelay: [100, 700],
  deliveredDelay: [400, 3_000],
  seenDelay: [1_500, 15_000],
  duplicates: 0,
  disorder: 0,
  replies: 0.01,
};

/** The named carriers. Bench and tests start from one and override what they measure. */
const CARRIER_PROFILES = {
  healthy,
  slow: {
    ...healthy,
    sentDelay: [2_000, 10_000],
    deliveredDelay: [10_000, 60_000],
    seenDelay: [30_000, 300_000],
  },
  flaky: {
    ...healthy,
    failed: 0.12,
    temporary: 0.08,
    silent: 0.05,
    throttled: 0.05,
    rejected: 0.03,
    duplicates: 0.05,
    disorder: 0.05,
    deliveredDelay: [500, 15_000],
  },
  throttling: { ...healthy, throttled: 0.5 },
  dead: { ...healthy, down: true },
} as const satisfies Record<string, CarrierProfile>;

export type ProfileName = keyof typeof CARRIER_PROFILES;

export const PROFILE_NAMES = Object.keys(CARRIER_PROFILES) as ProfileName[];

export type ProfileOptions = { profile?: ProfileName } & Partial<CarrierProfile>;

/**
 * A named profile (`healthy` when none is named) with single values overridden; throws a
 * RangeError that names the value when it makes no sense.
 *
 *     carrierProfile({ profile: 'flaky', silent: 0.2 });
 *     carrierProfile({ sentDelay: [0, 0], deliveredDelay: [0, 0] }); // as fast as the platform
 */
export function carrierProfile(options: ProfileOptions = {}): CarrierProfile {
  const { profile: name = 'healthy', ...overrides } = options;
  if (!Object.hasOwn(CARRIER_PROFILES, name)) {
    throw new RangeError(`profile: ${String(name)} is not one of ${PROFILE_NAMES.join(', ')}`);
  }
  const profile: CarrierProfile = { ...CARRIER_PROFILES[name] };
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(healthy, key)) throw new RangeError(`${key}: unknown`);
    Object.assign(profile, { [key]: checked(key as keyof CarrierProfile, value) });
  }
  if (profile.failed + profile.temporary + profile.silent > 1) {
    throw new RangeError('failed + temporary + silent: more than 1');
  }
  return profile;
}

// Overrides come out of JSON and of environment variables, so types prove nothing here.
function checked(key: keyof CarrierProfile, value: unknown): unknown {
  if (key === 'down') {
    if (typeof value !== 'boolean') throw new RangeError('down: not true or false');
  } else if (key.endsWith('Delay')) {
    if (!isDelay(value)) throw new RangeError(`${key}: not [from, to] in milliseconds`);
  } else if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new RangeError(`${key}: not a weight from 0 to 1`);
  }
  return value;
}

const LONGEST_DELAY = 24 * 60 * 60 * 1_000;

function isDelay(value: unknown): value is Delay {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return (
    typeof from === 'number' &&
    typeof to === 'number' &&
    from >= 0 &&
    from <= to &&
    to <= LONGEST_DELAY
  );
}
