import { useForm } from '@mantine/form';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors, type FieldError } from '../errors.ts';
import { useAskBeforeClose, useKeepOpen } from './dialog-hold.ts';
import {
  assignErrors,
  ruleErrors,
  schemaErrors,
  type BrokenRules,
  type FormSchema,
} from './field-errors.ts';
import { findField, firstOf, focusField } from './form-fields.ts';
import { RefusedText } from './refused-text.tsx';

interface ContractFormOptions<V, B, R> {
  initial: V;
  /** The contract's schema of the body. */
  schema?: FormSchema;
  /** Absent: the values are the body. */
  toBody?: (values: V) => B;
  /** Fields that are named otherwise in the body: path of the body to name of the field. */
  names?: Record<string, string>;
  /** Rules that the schema does not know. */
  check?: (values: V) => BrokenRules | Promise<BrokenRules>;
  /** Of something that exists: there is nothing to save until a field changes. */
  isEdit?: boolean;
  /** Why the form cannot be submitted as it is, shown beside its button. */
  blockedBy?: (values: V) => string | false | null | undefined;
  /** The same values may be submitted again. */
  repeats?: boolean;
  submit: (body: B) => Promise<R>;
  onDone?: (result: R, values: V) => void;
}

/** Why the last submission failed. */
export interface FormRefusal {
  /** Absent when the form itself found the errors. */
  error?: unknown;
  /** Errors of fields that the form does not draw. */
  unmarked: FieldError[];
  /** Fields that were marked. */
  marked: string[];
}

type Field = 'input' | 'checkbox';

/**
 * A form over a body of the contract: checked by its schema before it is sent, with the refusals of the server on its
 * fields. `ContractForm` draws what is around the fields.
 */
export function useContractForm<V extends object, B = V, R = unknown>(
  options: ContractFormOptions<V, B, R>,
) {
  const { initial, schema, names = {}, check, isEdit, submit: send, onDone } = options;
  const { t } = useTranslation();
  const toBody = options.toBody ?? ((values: V) => values as unknown as B);
  const form = useForm<V>({ initialValues: initial });
  const ref = useRef<HTMLFormElement>(null);
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  const isRunning = useRef(false);
  const sent = useRef('');
  const isMounted = useIsMounted();

  const { getValues, getInitialValues } = form;
  const isDirty = useCallback(
    () => JSON.stringify(getValues()) !== JSON.stringify(getInitialValues()),
    [getValues, getInitialValues],
  );
  useKeepOpen(isPending);
  useAskBeforeClose(isDirty);

  const blockedNow = (values: V): string | null =>
    (isEdit && !isDirty() && t('common:form.unchanged')) || options.blockedBy?.(values) || null;

  /** Marks the fields; the rest is for the summary. */
  const refuse = (refused: FieldError[], error?: unknown) => {
    const isDrawn = (field: string) => !!ref.current && !!findField(ref.current, field);
    const { marked, unmarked } = assignErrors(refused, names, isDrawn);
    form.setErrors(
      Object.fromEntries(
        [...marked].map(([field, said]) => [field, <RefusedText key={field} refused={said} />]),
      ),
    );
    setRefusal({ error, unmarked, marked: [...marked.keys()] });
  };

  const run = async (values: V): Promise<void> => {
    const broken = check?.(values) ?? {};
    if (broken instanceof Promise) setPending(true);
    const rules = ruleErrors(broken instanceof Promise ? await broken : broken);
    const body = toBody(values);
    const marked = new Set(rules.map(({ path }) => path));
    // One reason for a field is enough, and ours is the closer one.
    const others = schema ? schemaErrors(schema, body) : [];
    const refused = [
      ...rules,
      ...others.filter(({ path }) => !marked.has(path) && !marked.has(names[path] ?? path)),
    ];
    if (refused.length) return refuse(refused);
    form.clearErrors();
    setRefusal(null);
    setPending(true);
    const result = await send(body).catch((error: unknown) => {
      refuse(fieldErrors(error), error);
      return FAILED;
    });
    if (result === FAILED || !isMounted.current) return;
    form.resetDirty(values);
    sent.current = JSON.stringify(values);
    onDone?.(result as R, values);
  };

  /**
   * Once at a time: the second click of a double click comes before the button is drawn as pending. It may also come
   * after the response, while the dialog of the form fades.
   */
  const submit = (patch?: Partial<V>): void => {
    const values = { ...form.getValues(), ...patch };
    const isSent = !options.repeats && sent.current === JSON.stringify(values);
    if (isRunning.current || isSent || blockedNow(values)) return;
    isRunning.current = true;
    void run(values).finally(() => {
      isRunning.current = false;
      setPending(false);
    });
  };

  // After the fields are drawn with their errors. A correction is no new refusal and moves no focus.
  useEffect(() => {
    if (!refusal || !ref.current) return;
    const first = firstOf(ref.current, refusal.marked);
    if (first) focusField(ref.current, first);
  }, [refusal]);

  const field = (path: string, { type = 'input' }: { type?: Field } = {}) => ({
    ...form.getInputProps(path, { type }),
    name: path,
  });

  return {
    ref,
    values: form.values,
    errors: form.errors,
    field,
    /** Changes fields together; their errors go. */
    set(patch: Partial<V>): void {
      const errors = form.errors;
      form.setValues(patch);
      const others = Object.entries(errors).filter(([path]) => !(path.split('.')[0]! in patch));
      form.setErrors(Object.fromEntries(others));
    },
    setFieldValue: form.setFieldValue,
    setErrors: (broken: BrokenRules) => refuse(ruleErrors(broken)),
    submit,
    reset(): void {
      form.reset();
      setRefusal(null);
      sent.current = '';
    },
    refusal,
    isPending,
    isDirty,
    blocked: blockedNow(form.values),
  };
}

export type BoundField = ReturnType<ReturnType<typeof useContractForm>['field']>;

export type ContractFormState = Pick<
  ReturnType<typeof useContractForm>,
  'ref' | 'errors' | 'refusal' | 'isPending' | 'isDirty' | 'blocked'
> & { submit: () => void };

const FAILED = Symbol('failed');

function useIsMounted() {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
