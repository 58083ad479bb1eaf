/** A range in milliseconds, inclusive. */
export type Delay = [from: number, to: number];

export interface CarrierProfile {
  /** Probabilities (0 to 1) of the results of an accepted message; the rest is delivered. */
  failed: number;
  temporary: number;
  /** Accepted and never reported, to trigger timeouts of fallbacks and the expiry of messages. */
  silent: number;
  /** Share of delivered messages that are read, on channels with read reports. */
  seen: number;
  /** Share of submissions refused for the rate limit. Each attempt is decided independently. */
  throttled: number;
  /** Share of submissions rejected permanently. */
  rejected: number;
  /** Accepts no submissions. Messages accepted before are still reported. */
  down: boolean;
  /** From the submission to `sent`, from `sent` to the final report, from `delivered` to `seen`. */
  sentDelay: Delay;
  deliveredDelay: Delay;
  seenDelay: Delay;
  /** Share of messages whose last report is repeated, and whose final report precedes `sent`. */
  duplicates: number;
  disorder: number;
  /** Share of delivered messages with a reply, on channels with replies. */
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

/** Named profiles. Benchmarks and tests override single values. */
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
 * A named profile (default `healthy`) with overrides. Throws a RangeError with the name of an invalid value.
 *
 *     carrierProfile({ profile: 'flaky', silent: 0.2 });
 *     carrierProfile({ sentDelay: [0, 0], deliveredDelay: [0, 0] }); // without delays
 */
export function carrierProfile(options: ProfileOptions = {}): CarrierProfile {
  const { profile: name = 'healthy', ...overrides } = options;
  if (!Object.hasOwn(CARRIER_PROFILES, name)) {
    throw new RangeError(
      `profile: must be one of ${PROFILE_NAMES.join(', ')}, not ${String(name)}`,
    );
  }
  const profile: CarrierProfile = { ...CARRIER_PROFILES[name] };
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(healthy, key)) throw new RangeError(`${key}: unknown override`);
    Object.assign(profile, { [key]: checked(key as keyof CarrierProfile, value) });
  }
  if (profile.failed + profile.temporary + profile.silent > 1) {
    throw new RangeError('failed + temporary + silent: must not exceed 1');
  }
  return profile;
}

// Overrides come from JSON and environment variables, so their types must be checked.
function checked(key: keyof CarrierProfile, value: unknown): unknown {
  if (key === 'down') {
    if (typeof value !== 'boolean') throw new RangeError('down: must be true or false');
  } else if (key.endsWith('Delay')) {
    if (!isDelay(value)) throw new RangeError(`${key}: must be [from, to] in milliseconds`);
  } else if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
    throw new RangeError(`${key}: must be a number from 0 to 1`);
  }
  return value;
}

const MAX_DELAY_MS = 24 * 60 * 60 * 1_000;

function isDelay(value: unknown): value is Delay {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [from, to] = value as unknown[];
  return (
    typeof from === 'number' &&
    typeof to === 'number' &&
    from >= 0 &&
    from <= to &&
    to <= MAX_DELAY_MS
  );
}
