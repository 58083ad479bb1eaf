import { Stack } from '@mantine/core';
import { lazy, Suspense, type FormEvent, type ReactNode } from 'react';
import { fetched } from '../lost-chunk.ts';
import { ErrorSummary } from './error-summary.tsx';
import { FormFooter } from './form-footer.tsx';
import type { ContractFormState } from './use-contract-form.tsx';

/** Not for the sign-in pages, whose code is to be small. */
const LeaveGuard = lazy(async () => ({
  default: (await fetched(() => import('./leave-guard.tsx'))).LeaveGuard,
}));

interface ContractFormProps {
  form: ContractFormState;
  /** Names the form where nothing around it does. */
  label?: string;
  readOnly?: boolean;
  /** A form that keeps nothing, such as a login, is left without a question. */
  guarded?: boolean;
  /** Absent: the errors that belong to no field. */
  summary?: ReactNode;
  /** What Save is called here: with it the form has a `FormFooter`, with Cancel if there is `onCancel`. */
  submit?: ReactNode;
  onCancel?: () => void;
  /** Below the fields where that is not all: a `FormFooter` with more, or buttons of the form's own. */
  footer?: ReactNode;
  children: ReactNode;
}

const PLAIN = { border: 0, margin: 0, padding: 0, minWidth: 0 };

/** A form around its fields: the summary of errors above them, the question before unsaved changes are left. */
export function ContractForm(props: ContractFormProps) {
  const { form, label, readOnly = false, guarded = true, summary, submit, children } = props;
  const { footer = submit && <FormFooter {...{ form, submit }} onCancel={props.onCancel} /> } =
    props;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Forms in dialogs are children of the form that opened them.
    event.stopPropagation();
    if (!readOnly) form.submit();
  };
  return (
    <form
      ref={form.ref}
      onSubmit={onSubmit}
      noValidate
      aria-label={label}
      aria-busy={form.isPending}
    >
      <Suspense>{guarded && <LeaveGuard isDirty={form.isDirty} />}</Suspense>
      <fieldset disabled={readOnly} style={PLAIN}>
        <Stack>
          {summary ??
            (form.refusal && (
              <ErrorSummary form={form.ref} refusal={form.refusal} errors={form.errors} />
            ))}
          {children}
        </Stack>
      </fieldset>
      {!readOnly && footer}
    </form>
  );
}
