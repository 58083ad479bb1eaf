import type { OperationSums } from '@heliograph/contract';
import {
  coveredEntries,
  formatMoney,
  moneyToNumber,
  uncoveredReason,
  type Money,
  type OperationReason,
} from '@heliograph/domain';
import type { ParsedRow } from './parse-row.ts';

/** An account of the access scope with the funds that it has at the preview. */
export interface FoundAccount {
  id: string;
  currency: string;
  available: Money;
}

export interface AssessedRow extends Omit<ParsedRow, 'amount'> {
  accountId: string | null;
  currency: string | null;
  amount: string | null;
  isRepeated: boolean;
}

interface Sums {
  accounts: Set<string>;
  entries: number;
  credits: Money;
  debits: Money;
}

/** Decides which rows of a file can be entered, from its first row to its last, and sums them up. */
export class Assessment {
  rows = 0;
  ready = 0;
  repeated = 0;
  readonly reasons: Partial<Record<OperationReason, number>> = {};
  private readonly available = new Map<string, Money>();
  private readonly named = new Set<string>();
  private readonly sumsOf = new Map<string, Sums>();

  /** `find` returns the accounts that each name matches: more than one is ambiguous. */
  constructor(
    private readonly ownId: string,
    private readonly find: (names: string[]) => Promise<Map<string, FoundAccount[]>>,
  ) {}

  async assess(parsed: ParsedRow[]): Promise<AssessedRow[]> {
    const names = new Set(parsed.map(({ account }) => account));
    const found = await this.find([...names].filter(Boolean));
    return parsed.map((row) => this.assessRow(row, found.get(row.account) ?? []));
  }

  get sums(): OperationSums[] {
    return [...this.sumsOf]
      .map(([currency, { accounts, entries, credits, debits }]) => ({
        currency,
        accounts: accounts.size,
        entries,
        credits: moneyToNumber(credits),
        debits: moneyToNumber(debits),
      }))
      .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  }

  private assessRow(row: ParsedRow, found: FoundAccount[]): AssessedRow {
    this.rows++;
    const account = found.length === 1 ? found[0]! : null;
    const reason = row.reason ?? this.reasonOf(account, found.length);
    if (account && !this.available.has(account.id))
      this.available.set(account.id, account.available);
    const final = reason ?? this.take(account!, row.amount!);
    if (final) this.reasons[final] = (this.reasons[final] ?? 0) + 1;
    const isRepeated = !final && this.isNamed(account!.id);
    if (isRepeated) this.repeated++;
    return {
      ...row,
      accountId: account?.id ?? null,
      currency: account?.currency ?? null,
      amount: row.amount === null ? null : formatMoney(row.amount),
      isRepeated,
      reason: final,
    };
  }

  private reasonOf(account: FoundAccount | null, matches: number): OperationReason | null {
    if (matches > 1) return 'ambiguous_account';
    if (!account) return 'unknown_account';
    return account.id === this.ownId ? 'own_account' : null;
  }

  /** Whether an earlier row that can be entered names the account. */
  private isNamed(id: string): boolean {
    const isNamed = this.named.has(id);
    this.named.add(id);
    return isNamed;
  }

  /** Counts a row that can be entered; the reason if the balance does not cover it after the rows before. */
  private take({ id, currency }: FoundAccount, amount: Money): OperationReason | null {
    if (!coveredEntries([{ OwnerId: id, amount }], this.available).size)
      return uncoveredReason(amount);
    this.ready++;
    const sums = this.sumsOf.get(currency) ?? {
      accounts: new Set(),
      entries: 0,
      credits: 0n,
      debits: 0n,
    };
    sums.accounts.add(id);
    sums.entries++;
    if (amount > 0n) sums.credits += amount;
    else sums.debits -= amount;
    this.sumsOf.set(currency, sums);
    return null;
  }
}
