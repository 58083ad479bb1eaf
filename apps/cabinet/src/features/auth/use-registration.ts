import { normalizeEmail } from '@heliograph/domain';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { fieldErrors, retryAt } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { keepDraft, readDraft } from './draft.ts';
import {
  FIELDS,
  fieldOf,
  problemOf,
  problemsOf,
  type Problems,
  type RegistrationField,
  type RegistrationForm,
} from './registration.ts';

const load = (isPatient = false) =>
  fetched(() => Promise.all([import('./register.ts'), import('./phone-check.ts')]), isPatient);

/** The form, what is wrong with it, and the deed. Fields are judged when they are left and when the form is sent. */
export function useRegistration() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [{ form, meta }, setDraft] = useState(() => readDraft(params));
  const [problems, setProblems] = useState<Problems>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [isSolving, setSolving] = useState(false);
  const [blockedUntil, setBlockedUntil] = useState(0);

  const latest = useRef(form);
  latest.current = form;
  useEffect(() => keepDraft(form, meta), [form, meta]);

  const put = (changes: Partial<RegistrationForm>) => {
    setDraft((draft) => ({ ...draft, form: withEmail(draft.form, changes) }));
    const left = Object.keys(changes) as (keyof RegistrationForm)[];
    setProblems((all) => without(all, left));
  };
  const judge = (field: RegistrationField) => {
    // What was never filled in is not wrong yet.
    if (form[field])
      setProblems((all) => ({
        ...all,
        [field]: problemOf(field, form, frontend.password) ?? undefined,
      }));
  };
  const settlePhone = async () => {
    judge('phone');
    const { phone, country } = form;
    const found = (await load(true))[1].phoneOf(phone, country);
    // Another one was typed or chosen meanwhile: it is settled in its turn.
    if (latest.current.phone !== phone || latest.current.country !== country) return;
    if (found) put(found);
    else if (phone) setProblems((all) => ({ ...all, phone: 'invalid' }));
  };

  const refuse = (found: Problems) => {
    setProblems(found);
    // Both passwords are typed anew when they differ.
    const first = found.confirm === 'mismatch' ? 'password' : FIELDS.find((field) => found[field]);
    if (first) document.getElementById(fieldId(first))?.focus();
  };

  const submit = async (): Promise<void> => {
    setError(null);
    const found = problemsOf(form, frontend.password);
    if (found.confirm === 'mismatch') put({ password: '', confirm: '' });
    if (Object.keys(found).length) return refuse(found);
    setBusy(true);
    try {
      const [{ register }, { phoneOf }] = await load();
      const phone = phoneOf(form.phone, form.country);
      if (!phone) return refuse({ phone: 'invalid' });
      const to = await register({ ...form, ...phone }, meta, () => setSolving(true));
      await navigate(to, { replace: true });
    } catch (caught) {
      const told = ofServer(caught);
      setError(Object.keys(told).length ? null : caught);
      refuse(told);
      setBlockedUntil(retryAt(caught, Date.now()));
    } finally {
      setSolving(false);
      setBusy(false);
    }
  };

  const prepare = () => void load(true);
  const state = { form, problems, error, busy, isSolving, blockedUntil };
  return { ...state, put, judge, settlePhone, prepare, submit };
}

export const fieldId = (field: RegistrationField) => `registration-${field}`;

/** A username that is an e-mail is the e-mail, until another one is typed. */
function withEmail(before: RegistrationForm, changes: Partial<RegistrationForm>): RegistrationForm {
  const form = { ...before, ...changes };
  const wasCopied = !before.email || before.email === before.username.trim();
  const isCopied =
    changes.username !== undefined && wasCopied && normalizeEmail(form.username) !== null;
  return isCopied ? { ...form, email: form.username.trim() } : form;
}

function without(problems: Problems, fields: (keyof RegistrationForm)[]): Problems {
  const left = Object.entries(problems).filter(([field]) => !fields.includes(field as never));
  return Object.fromEntries(left) as Problems;
}

function ofServer(error: unknown): Problems {
  const told = fieldErrors(error).map(({ path, rule }) => {
    const isTold = rule === 'unique' || rule === 'required' || rule === 'common';
    const problem = isTold ? rule : 'invalid';
    return [fieldOf(path), problem] as const;
  });
  return Object.fromEntries(told.filter(([field]) => field)) as Problems;
}
