import { normalizeEmail, normalizePhone } from '@heliograph/domain';
import { entriesOf } from './send-values.ts';

export type Fault = 'characters' | 'short' | 'long' | 'plan' | 'email' | 'duplicate' | 'both';

export interface Wrong {
  raw: string;
  fault: Fault;
}

export interface Checked {
  valid: number;
  duplicates: number;
  /** Entries that nothing is sent to, in their order. */
  wrong: Wrong[];
  /** The valid ones, each once, in the spelling they are sent to. */
  clean: string[];
}

/** Why a number is none. */
function faultOf(raw: string): Fault {
  if (/[^\d\s+().,/\-\u2010-\u2014\u00a0\u202f]/.test(raw)) return 'characters';
  const digits = raw.replaceAll(/\D/g, '').length;
  return digits < 10 ? 'short' : digits > 15 ? 'long' : 'plan';
}

/**
 * Reads what was pasted, by the rules of the server; `others` are the entries of the other side, which may not be here
 * as well, `country` the account's. In a file of its own: it brings the numbering plans of all countries.
 */
export function checkRecipients(
  pasted: string,
  kind: 'phone' | 'email',
  others = '',
  country?: string,
): Checked {
  const normal = (text: string) =>
    kind === 'phone' ? normalizePhone(text, country) : normalizeEmail(text);
  const taken = new Set(entriesOf(others).map((entry) => normal(entry) ?? entry));
  const seen = new Set<string>();
  const checked: Checked = { valid: 0, duplicates: 0, wrong: [], clean: [] };
  for (const raw of entriesOf(pasted)) {
    const address = normal(raw);
    if (address === null) {
      checked.wrong.push({ raw, fault: kind === 'email' ? 'email' : faultOf(raw) });
    } else if (taken.has(address)) {
      checked.wrong.push({ raw, fault: 'both' });
    } else if (seen.has(address)) {
      checked.duplicates++;
      checked.wrong.push({ raw, fault: 'duplicate' });
    } else {
      seen.add(address);
      checked.clean.push(address);
    }
  }
  checked.valid = checked.clean.length;
  return checked;
}
