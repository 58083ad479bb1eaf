/** Type of number and numbering plan: SMPP 3.4, sections 5.2.5 and 5.2.6. */
export interface Numbering {
  ton: number;
  npi: number;
}

/** What kinds of addresses a carrier wants to be told. */
export interface NumberingRules {
  alphanumeric: Numbering;
  international: Numbering;
  short: Numbering;
}

export const NUMBERING: NumberingRules = {
  alphanumeric: { ton: 5, npi: 0 },
  international: { ton: 1, npi: 1 },
  short: { ton: 3, npi: 0 },
};

const MAX_SHORT_NUMBER = 6;

/** `addressOf('+79990000000')` is { ton: 1, npi: 1, address: '79990000000' }, of 'Helio' { ton: 5, npi: 0, address: 'Helio' }. */
export function addressOf(text: string, rules = NUMBERING): Numbering & { address: string } {
  const digits = /^\+?(\d+)$/.exec(text)?.[1];
  if (digits === undefined) return { ...rules.alphanumeric, address: text };
  const isShort = digits.length <= MAX_SHORT_NUMBER && !text.startsWith('+');
  return { ...(isShort ? rules.short : rules.international), address: digits };
}

/** A sender or recipient as received: `senderOf({ ton: 1, address: '79990000000' })` is '+79990000000', as with `00` before it. */
export function senderOf({ ton, address }: { ton: number; address: string }): string {
  const international = ton === 1 && /^(?:00)?([1-9]\d{6,14})$/.exec(address)?.[1];
  return international ? `+${international}` : address;
}
