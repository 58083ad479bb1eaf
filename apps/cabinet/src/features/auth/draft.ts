import type { Registration } from '@heliograph/contract';
import { EMPTY, type RegistrationValues } from './registration.ts';

const KEY = 'heliograph.registration';

export type Meta = NonNullable<Registration['data']['meta']>;
type Draft = Omit<RegistrationValues, 'password' | 'confirm'> & { meta: Meta };

/** The referral code and the visitor's source, from the URL. */
export function metaOf(params: URLSearchParams): Meta {
  const named = {
    usedReferralCode: params.get('ref')?.slice(0, 40),
    source: params.get('source')?.slice(0, 100),
    survey: params.get('survey')?.slice(0, 100),
    salon_id: params.get('salon_id')?.slice(0, 100),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value)) as Meta;
}

/** What was typed before, without the passwords; what the current URL says of the visitor's source comes first. */
export function readDraft(params: URLSearchParams): { values: RegistrationValues; meta: Meta } {
  let stored: Partial<Draft> = {};
  try {
    stored = (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Draft> | null) ?? {};
  } catch {
    // Not a draft of this form: it is replaced.
  }
  const values = { ...EMPTY };
  for (const name of Object.keys(EMPTY) as (keyof RegistrationValues)[]) {
    const value: unknown = stored[name as keyof Draft];
    const isSecret = name === 'password' || name === 'confirm';
    if (typeof value === 'string' && !isSecret) values[name] = value;
  }
  return { values, meta: { ...stored.meta, ...metaOf(params) } };
}

export function saveDraft(values: RegistrationValues, meta: Meta): void {
  const { password: _, confirm: __, ...rest } = values;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...rest, meta } satisfies Draft));
  } catch {
    // Full or forbidden: the form works without it.
  }
}

export function clearDraft(): void {
  localStorage.removeItem(KEY);
}
