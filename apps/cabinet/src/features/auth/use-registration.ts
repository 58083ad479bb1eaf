import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { afterPress } from '../../core/after-press.ts';
import { byField, fieldErrors, retryAt } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { keepDraft, readDraft } from './draft.ts';
import {
  FIELDS,
  fieldOf,
  problemOf,
  problemsOf,
  withEmail,
  type Problems,
  type RegistrationField,
  type RegistrationForm,
} from './registration.ts';

const load = (waits = false) =>
  fetched(() => Promise.all([import('./register.ts'), import('../../core/parse-phone.ts')]), waits);

/** Both are typed anew when they differ. */
const NO_PASSWORD = { password: '', confirm: '' };

/** The form, what is wrong with it, and the deed. Fields are judged when they are left and when the form is sent. */
export function useRegistration() {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [{ form, meta }, setDraft] = useState(() => {
    const draft = readDraft(params);
    return { ...draft, copied: draft.form.username.trim() };
  });
  const [problems, setProblems] = useState<Problems>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [isSolving, setSolving] = useState(false);
  const [blockedUntil, setBlockedUntil] = useState(0);

  const latest = useRef(form);
  latest.current = form;
  useEffect(() => keepDraft(form, meta), [form, meta]);

  const put = (changes: Partial<RegistrationForm>) => {
    setDraft((draft) => ({ ...draft, ...withEmail(draft.form, changes, draft.copied) }));
    const left = Object.keys(changes) as (keyof RegistrationForm)[];
    setProblems((all) => without(all, left));
  };
  const judge = (field: RegistrationField) =>
    afterPress(() => {
      const now = latest.current;
      // What was never filled in is not wrong yet.
      if (!now[field]) return;
      const problem = problemOf(field, now, frontend.password) ?? undefined;
      if (problem === 'mismatch') put(NO_PASSWORD);
      setProblems((all) => ({ ...all, [field]: problem }));
    });
  const refusePhone = () => setProblems((all) => ({ ...all, phone: 'invalid' }));

  const refuse = (found: Problems) => {
    setProblems(found);
    const first = found.confirm === 'mismatch' ? 'password' : FIELDS.find((field) => found[field]);
    if (first) document.getElementById(fieldId(first))?.focus();
  };

  const submit = async (): Promise<void> => {
    setError(null);
    const found = problemsOf(form, frontend.password);
    // They were taken away because they differed, and that is still why there are none.
    if (problems.confirm === 'mismatch' && found.confirm === 'required') found.confirm = 'mismatch';
    if (found.confirm === 'mismatch') put(NO_PASSWORD);
    if (Object.keys(found).length) return refuse(found);
    setBusy(true);
    try {
      const [{ register }, { parsePhone }] = await load();
      const phone = parsePhone(form.phone, form.country);
      if (!phone) return refuse({ phone: 'invalid' });
      const to = await register({ ...form, ...phone }, meta, () => setSolving(true));
      await navigate(to, { replace: true });
    } catch (caught) {
      const [told, isAll] = ofServer(caught);
      setError(isAll ? null : caught);
      refuse(told);
      setBlockedUntil(retryAt(caught, Date.now()));
    } finally {
      setSolving(false);
      setBusy(false);
    }
  };

  const prepare = () => void load(true);
  const state = { form, problems, error, busy, isSolving, blockedUntil };
  return { ...state, put, judge, refusePhone, prepare, submit };
}

export const fieldId = (field: RegistrationField) => `registration-${field}`;

function without(problems: Problems, fields: (keyof RegistrationForm)[]): Problems {
  const left = Object.entries(problems).filter(([field]) => !fields.includes(field as never));
  return Object.fromEntries(left) as Problems;
}

/** What a refusal says of the fields of the page, and whether that is all that it says. */
function ofServer(error: unknown): [Problems, boolean] {
  const { marked, unmarked } = byField(fieldErrors(error), fieldOf);
  const told = [...marked].map(([field, [{ rule, message } = { rule: '', message: '' }]]) => {
    const isTold = rule === 'unique' || rule === 'required' || rule === 'common';
    const isKnown = !message || i18n.exists(`errors:rule.${rule}`);
    return [field, isTold ? rule : isKnown ? 'invalid' : { said: message }] as const;
  });
  return [Object.fromEntries(told) as Problems, marked.size > 0 && !unmarked.length];
}
