import { parseRecipients } from '@heliograph/domain';

export interface PhoneCount {
  valid: number;
  duplicates: number;
  invalid: number;
  firstInvalid: string;
}

/** Reads pasted numbers by the same rules as the server. In a file of its own: it brings the plans of all countries. */
export async function countPhones(pasted: string): Promise<PhoneCount> {
  const count: PhoneCount = { valid: 0, duplicates: 0, invalid: 0, firstInvalid: '' };
  for await (const entry of parseRecipients([pasted])) {
    if ('phone' in entry) count.valid++;
    else if (entry.error === 'duplicate') count.duplicates++;
    else if (count.invalid++ === 0) count.firstInvalid = entry.raw;
  }
  return count;
}
