import type { Registration } from '@heliograph/contract';
import { browserStorage, tabStorage } from '../../core/browser-storage.ts';
import { EMPTY, type RegistrationValues } from './registration.ts';

/** Of this tab: who has no account yet cannot sign out of this browser. */
const KEY = 'heliograph.registrationForm';
/** Where the visitor came from, which is remembered until an account is made. */
const SOURCE = 'heliograph.source';

export type Meta = NonNullable<Registration['data']['meta']>;
type Draft = Omit<RegistrationValues, 'password' | 'confirm'>;

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
  const stored = parsed(tabStorage.get(KEY)) as Partial<Draft>;
  const source = parsed(browserStorage.get(SOURCE)) as Meta;
  const values = { ...EMPTY };
  for (const name of Object.keys(EMPTY) as (keyof RegistrationValues)[]) {
    const value: unknown = stored[name as keyof Draft];
    const isSecret = name === 'password' || name === 'confirm';
    if (typeof value === 'string' && !isSecret) values[name] = value;
  }
  return { values, meta: { ...source, ...metaOf(params) } };
}

function parsed(text: string | null): object {
  try {
    return (JSON.parse(text ?? '{}') as object | null) ?? {};
  } catch {
    // Not a draft of this form: it is replaced.
    return {};
  }
}

export function saveDraft(values: RegistrationValues, meta: Meta): void {
  const { password: _, confirm: __, ...rest } = values;
  tabStorage.set(KEY, JSON.stringify(rest satisfies Draft));
  browserStorage.set(SOURCE, JSON.stringify(meta));
}

export function clearDraft(): void {
  tabStorage.set(KEY, null);
  browserStorage.set(SOURCE, null);
}
