import type { BankSuggestion, CleanName, CompanySuggestion } from '@heliograph/contract';
import { AppError } from '../../core/errors.ts';

/** Suggestions of one answer. */
export const MAX_SUGGESTIONS = 10;

/** A source of public data. Throws `unavailable`, or `rate_limited` if the source is overloaded. */
export abstract class LookupDriver {
  abstract companies(inn: string): Promise<CompanySuggestion[]>;
  abstract banks(query: string): Promise<BankSuggestion[]>;
  abstract name(query: string): Promise<CleanName>;
}

const off = () => Promise.reject(new AppError('unavailable', 'No look-up is configured'));

export class NoLookups extends LookupDriver {
  override companies = off;
  override banks = off;
  override name = off;
}
