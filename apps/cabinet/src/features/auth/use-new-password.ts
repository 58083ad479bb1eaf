import { ApiError } from '@heliograph/contract';
import { useCallback, useEffect, useState } from 'react';
import { fieldErrors, retryAt } from '../../core/errors.ts';
import { frontend } from '../../core/frontend.ts';
import { fetched } from '../../core/lost-chunk.ts';
import { i18n } from '../../core/i18n/i18n.ts';
import { passwordProblem } from './credentials.ts';
import type { KeyStage } from './letter-key-page.tsx';

const load = (waits: boolean) => fetched(() => import('./recover.ts'), waits);

type Field = 'password' | 'confirm';
type NewPassword = Record<Field, string>;
/** In the server's words where the cabinet has none. */
type Problems = Partial<Record<Field, ReturnType<typeof passwordProblem> | { said: string }>>;
const NOTHING: NewPassword = { password: '', confirm: '' };
export const fieldId = (field: Field) => `new-${field}`;

/** The key of a letter, which is checked first, and the password that is set with it. */
export function useNewPassword(key: string) {
  const [stage, setStage] = useState<KeyStage>('checking');
  const [username, setUsername] = useState('');
  const [form, setForm] = useState(NOTHING);
  const [problems, setProblems] = useState<Problems>({});
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [blockedUntil, setBlockedUntil] = useState(0);

  const refused = useCallback((caught: unknown): void => {
    if (caught instanceof ApiError && caught.status === 404) return setStage('invalid');
    setError(caught);
    setBlockedUntil(retryAt(caught, Date.now()));
  }, []);

  const check = useCallback(async (): Promise<void> => {
    setStage('checking');
    setError(null);
    try {
      setUsername(await (await load(true)).holderOf(key));
      setStage('valid');
    } catch (caught) {
      refused(caught);
    }
  }, [key, refused]);
  useEffect(() => void check(), [check]);

  const put = (changes: Partial<NewPassword>) => {
    setForm((before) => ({ ...before, ...changes }));
    setProblems({});
  };
  const refuse = (found: Problems) => {
    setProblems(found);
    // Both are typed anew when they differ.
    const isMismatch = found.confirm === 'mismatch';
    if (isMismatch) setForm(NOTHING);
    document
      .getElementById(fieldId(found.password || isMismatch ? 'password' : 'confirm'))
      ?.focus();
  };

  const submit = async (): Promise<void> => {
    setError(null);
    const found = problemsOf(form);
    if (Object.keys(found).length) return refuse(found);
    setBusy(true);
    try {
      await (await load(false)).setPassword(key, form.password);
      setStage('done');
    } catch (caught) {
      const [told] = fieldErrors(caught);
      const { rule, message } = told ?? {};
      const isKnown = !message || i18n.exists(`errors:rule.${rule}`);
      if (told)
        refuse({ password: !isKnown ? { said: message } : rule === 'common' ? rule : 'invalid' });
      else refused(caught);
    } finally {
      setBusy(false);
    }
  };
  return { stage, username, form, problems, error, busy, blockedUntil, check, put, submit };
}

function problemsOf(form: NewPassword): Problems {
  const found = (['password', 'confirm'] as const).map(
    (field) => [field, passwordProblem(field, form, frontend.password)] as const,
  );
  return Object.fromEntries(found.filter(([, problem]) => problem !== null)) as Problems;
}
