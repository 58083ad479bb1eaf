import { ApiError } from '@heliograph/contract';
import { Alert, Anchor } from '@mantine/core';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText, fieldErrors, fieldsText } from '../errors.ts';
import { focusField, labelOf } from './form-fields.ts';
import type { FormRefusal } from './use-contract-form.tsx';

interface ErrorSummaryProps {
  form: RefObject<HTMLFormElement | null>;
  refusal: FormRefusal;
  /** Fields that are marked now. */
  errors: Record<string, unknown>;
}

/** The errors that belong to no field of the form, with links to the fields that are marked. */
export function ErrorSummary({ form, refusal, errors }: ErrorSummaryProps) {
  const { t } = useTranslation();
  const ref = useRef<HTMLDivElement>(null);
  const [links, setLinks] = useState<{ path: string; label: string }[]>([]);
  useEffect(() => {
    const { current } = form;
    if (!current) return;
    setLinks(refusal.marked.map((path) => ({ path, label: labelOf(current, path) })));
    if (!refusal.marked.length) ref.current?.focus();
  }, [form, refusal]);
  const { error, unmarked } = refusal;
  const isShown = unmarked.length > 0 || (!!error && !fieldErrors(error).length);
  if (!isShown) return null;
  return (
    <Alert ref={ref} color="red" role="alert" tabIndex={-1}>
      {textOf(refusal)}
      {links
        .filter(({ path }) => errors[path])
        .map(({ path, label }) => (
          <div key={path}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => form.current && focusField(form.current, path)}
            >
              {label}
            </Anchor>
          </div>
        ))}
    </Alert>
  );

  function textOf({ error, unmarked }: FormRefusal): string {
    if (!error) return fieldsText(t, unmarked);
    // "Check the marked fields." would send its reader to marks that are not there.
    const isVague = error instanceof ApiError && error.code === 'validation' && !unmarked.length;
    return isVague ? t('errors:refused') : errorText(t, error, unmarked);
  }
}
