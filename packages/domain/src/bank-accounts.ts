import type { OrganizationKind } from './requisites.ts';

/** BIK of a bank, settlement account and correspondent account. */
export interface BankNumbers {
  bik: string;
  rs: string;
  ks: string;
}

export type BankRule =
  | 'bik_format'
  | 'bik_settlement_center'
  | 'account_length'
  | 'account_bik'
  | 'account_kind'
  | 'ks_prefix';

/**
 * The balance accounts (first five digits) of settlement accounts, by the kind of their holder. Source: the chart of accounts of
 * the Bank of Russia. Companies in state ownership have 405 and 406.
 */
const BALANCE_ACCOUNTS: Record<OrganizationKind, RegExp> = {
  entrepreneur: /^40802/,
  commercial: /^(?:40[56]0[12]|4070[12])/,
  nonprofit: /^(?:40[56]0[13]|40703)/,
  state: /^(?:40[56]0[1-4]|40702)/,
  other: /^40[567]0[1-4]/,
};

/** Weights of the control sum of an account, repeated over its 23 digits. */
const WEIGHTS = [7, 1, 3];

/** The rules that the numbers violate, at most one for each. Empty numbers are not checked. */
export function bankErrors(
  { bik, rs, ks }: BankNumbers,
  kind: OrganizationKind,
): { field: keyof BankNumbers; rule: BankRule }[] {
  const ofBik = bikRule(bik);
  // An account cannot be compared with a BIK that is wrong itself.
  const known = ofBik || !bik ? null : bik;
  const rules = [
    { field: 'bik' as const, rule: bik && ofBik },
    { field: 'rs' as const, rule: rs && settlementRule(rs, known, kind) },
    { field: 'ks' as const, rule: ks && correspondentRule(ks, known) },
  ];
  return rules.flatMap(({ field, rule }) => (rule ? [{ field, rule }] : []));
}

/**
 * BIKs of banks begin with 04; 000 to 002 at the end are settlement centers of the Bank of Russia, which have no correspondent account.
 * Those of the Treasury begin with 00, 01 or 02. They are refused: in place of a settlement and a correspondent account of a bank a state
 * institution has a treasury account (03...) and the single treasury account (40102...), which are checked by another rule, and requisites
 * have no field for its personal account, without which the Treasury returns the money. Companies in state ownership have accounts in
 * banks (405 and 406).
 */
function bikRule(bik: string): BankRule | null {
  if (!/^04\d{7}$/.test(bik)) return 'bik_format';
  return /00[0-2]$/.test(bik) ? 'bik_settlement_center' : null;
}

function settlementRule(rs: string, bik: string | null, kind: OrganizationKind): BankRule | null {
  if (!isAccount(rs)) return 'account_length';
  if (bik && !hasControlSum(bik.slice(-3) + rs)) return 'account_bik';
  return BALANCE_ACCOUNTS[kind].test(rs) ? null : 'account_kind';
}

function correspondentRule(ks: string, bik: string | null): BankRule | null {
  if (!isAccount(ks)) return 'account_length';
  if (!ks.startsWith('301')) return 'ks_prefix';
  if (!bik) return null;
  const isOfBank = ks.slice(-3) === bik.slice(-3) && hasControlSum(`0${bik.slice(4, 6)}${ks}`);
  return isOfBank ? null : 'account_bik';
}

const isAccount = (text: string) => /^\d{20}$/.test(text);

const hasControlSum = (digits: string) =>
  [...digits].reduce((sum, digit, i) => sum + ((Number(digit) * WEIGHTS[i % 3]!) % 10), 0) % 10 ===
  0;

/** The account with its ninth digit set so that it matches the bank with this BIK; for tests and fictional data. */
export function withControlDigit(account: string, bik: string): string {
  const [start, end] = [account.slice(0, 8), account.slice(9, 20)];
  const digits = [...Array(10).keys()].map((key) => `${start}${key}${end}`);
  return digits.find((candidate) => hasControlSum(bik.slice(-3) + candidate)) ?? account;
}
