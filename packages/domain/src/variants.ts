/** Two texts of a bulk that are tried on a share of its recipients: what decides between them. */
export const VARIANT_CRITERIA = ['delivered', 'clicked', 'replied'] as const;
export type VariantCriterion = (typeof VARIANT_CRITERIA)[number];

/** The texts, each with a bulk of its own; the bulk to the others is the rest. */
export const VARIANTS = ['A', 'B'] as const;
export type Variant = (typeof VARIANTS)[number];
export const VARIANT_PARTS = [...VARIANTS, 'rest'] as const;
export type VariantPart = (typeof VARIANT_PARTS)[number];

/** Percent of the recipients that get the two texts, half of them each. */
export const MIN_VARIANT_SHARE = 2;
export const MAX_VARIANT_SHARE = 50;
/** From the start of the two until that of the rest. */
export const MAX_VARIANT_HOURS = 72;
/** Recipients of each text below which a difference says nothing. */
export const MIN_VARIANT_RECIPIENTS = 20;

/** Recipients of one text, by what they did. */
export interface VariantFigures {
  /** Without those that a stop has cancelled. */
  recipients: number;
  /** Delivered or failed. */
  ended: number;
  delivered: number;
  replied: number;
  /** Clicks of the links that only this text has, since the bulk was created; null if they are not counted. */
  clicks: number | null;
}

export type VariantFiguresOf = Record<Variant, VariantFigures>;

/** The share by which a text is compared, as a fraction: `[replied, recipients]`. */
export function variantShare(
  by: VariantCriterion,
  { recipients, ended, delivered, replied, clicks }: VariantFigures,
): [part: number, of: number] {
  if (by === 'delivered') return [delivered, ended];
  if (by === 'replied') return [replied, recipients];
  return [clicks ?? 0, delivered];
}

/** The text with the greater share; null if they are equal. Without anybody to compare, a share is 0. */
export function betterVariant(by: VariantCriterion, figures: VariantFiguresOf): Variant | null {
  const [a, ofA] = variantShare(by, figures.A);
  const [b, ofB] = variantShare(by, figures.B);
  // Compared as fractions: quotients would be rounded.
  const [left, right] = [ofA ? a * (ofB || 1) : 0, ofB ? b * (ofA || 1) : 0];
  return left === right ? null : left > right ? 'A' : 'B';
}

/** Why a text was chosen: it has the greater share, both have the same, or the other one was stopped. */
export const VARIANT_REASONS = ['better', 'equal', 'stopped'] as const;
export type VariantReason = (typeof VARIANT_REASONS)[number];

/** The text of the rest: that which was not stopped, else the better one, else the first. Null if both were stopped. */
export function chooseVariant(
  by: VariantCriterion,
  figures: VariantFiguresOf,
  stopped: readonly Variant[],
): { variant: Variant; reason: VariantReason } | null {
  const left = VARIANTS.filter((variant) => !stopped.includes(variant));
  if (!left.length) return null;
  if (left.length === 1) return { variant: left[0]!, reason: 'stopped' };
  const better = betterVariant(by, figures);
  return better ? { variant: better, reason: 'better' } : { variant: 'A', reason: 'equal' };
}

/** Addresses are spread over so many slots, of which each part of a bulk has its own. */
export const VARIANT_SLOTS = 10_000;

/** The slots of each part, from the first up to before the last: `10` gives A 0 to 500, B 500 to 1000, and the rest the others. */
export function variantSlots(share: number): Record<VariantPart, [from: number, to: number]> {
  const half = (share * VARIANT_SLOTS) / 200;
  return { A: [0, half], B: [half, 2 * half], rest: [2 * half, VARIANT_SLOTS] };
}
