import type { Registration } from '@heliograph/contract';
import { EMPTY, type RegistrationForm } from './registration.ts';

const KEY = 'heliograph.registration';

export type Meta = NonNullable<Registration['data']['meta']>;
type Draft = Omit<RegistrationForm, 'password' | 'confirm'> & { meta: Meta };

/** What the page's address names: the referral code and where the visitor came from. */
export function metaOf(params: URLSearchParams): Meta {
  const named = {
    usedReferralCode: params.get('ref')?.slice(0, 40),
    source: params.get('source')?.slice(0, 100),
    survey: params.get('survey')?.slice(0, 100),
    salon_id: params.get('salon_id')?.slice(0, 100),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value)) as Meta;
}

/** What was typed before, never a password; the present address overrules where the visitor once came from. */
export function readDraft(params: URLSearchParams): { form: RegistrationForm; meta: Meta } {
  let kept: Partial<Draft> = {};
  try {
    kept = (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Draft> | null) ?? {};
  } catch {
    // Not ours: begin anew.
  }
  const form = { ...EMPTY };
  for (const name of Object.keys(EMPTY) as (keyof RegistrationForm)[]) {
    const value: unknown = kept[name as keyof Draft];
    const isSecret = name === 'password' || name === 'confirm';
    if (typeof value === 'string' && !isSecret) form[name] = value;
  }
  return { form, meta: { ...kept.meta, ...metaOf(params) } };
}

export function keepDraft(form: RegistrationForm, meta: Meta): void {
  const { password: _, confirm: __, ...rest } = form;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...rest, meta } satisfies Draft));
  } catch {
    // Full or forbidden: the form works without it.
  }
}

export function dropDraft(): void {
  localStorage.removeItem(KEY);
}
