import { ApiError } from '@heliograph/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { afterPress } from '../after-press.ts';
import { fieldErrors, retryAt, type FieldError } from '../errors.ts';
import { useCountdown } from '../use-countdown.ts';
import { isSame } from '../same-values.ts';
import { useAskBeforeClose, useKeepOpen } from './dialog-hold.ts';
import {
  assignErrors,
  errorsOf,
  patternOf,
  ruleErrors,
  type BrokenRules,
  type FormSchema,
} from './field-errors.ts';
import { findField, firstOf, focusField } from './form-fields.ts';
import { useFormState, type BoundField } from './form-state.ts';
import { limitOf } from './limits.ts';
import { RefusedText, type FieldTexts } from './refused-text.tsx';

interface ContractFormOptions<V, B, R> {
  initial: V;
  /** The contract's schema of the body. */
  schema?: FormSchema;
  /** Absent: the values are the body. */
  toBody?: (values: V) => B;
  /** Fields that are named otherwise in the body: path of the body to name of the field, `*` for any row of a list. */
  names?: Record<string, string>;
  /** The fields of a form that draws them in steps, `*` for any row of a list. Absent: those that are drawn. */
  fields?: ReadonlySet<string>;
  /** The field that a refusal without fields is about, by its code. */
  fieldOfCode?: (code: string, values: V) => string | null;
  /** Rules that the schema does not know. */
  check?: (values: V) => BrokenRules | Promise<BrokenRules>;
  /** A field that is not empty is also checked when it is left. */
  checksOnBlur?: boolean;
  /** Texts of rules where the general ones are not exact enough. */
  texts?: FieldTexts;
  /** Of something that exists: there is nothing to save until a field changes. */
  isEdit?: boolean;
  /** Why the form cannot be submitted as it is, shown beside its button. */
  blockedBy?: (values: V) => string | false | null | undefined;
  /** The same values may be submitted again. */
  repeats?: boolean;
  /** Time in which the form cannot be submitted again after a refusal. */
  pauseMs?: number;
  submit: (body: B) => Promise<R>;
  /** The form is pending until a promise of it ends. */
  onDone?: (result: R, values: V) => void | Promise<void>;
  /** After the fields of a submission that failed are marked; not called when none is. */
  onMarked?: (refused: FieldError[], fields: string[]) => void;
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
  const form = useFormState(initial);
  const { getValues, isDirty } = form;
  const ref = useRef<HTMLFormElement>(null);
  const [isPending, setPending] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal | null>(null);
  const [retryTime, setRetryTime] = useState(0);
  const wait = useCountdown(retryTime);
  const isRunning = useRef(false);
  const sent = useRef<V | null>(null);
  const isMounted = useIsMounted();

  useKeepOpen(isPending);
  useAskBeforeClose(isDirty);

  const blockedNow = (values: V): string | null =>
    (isEdit && !isDirty() && t('common:form.unchanged')) ||
    options.blockedBy?.(values) ||
    (wait > 0 && t('common:form.wait', { count: wait })) ||
    null;

  const assign = (refused: FieldError[]) => {
    const isDrawn = (field: string) => !!ref.current && !!findField(ref.current, field);
    const { fields } = options;
    return assignErrors(refused, names, fields ? (one) => fields.has(patternOf(one)) : isDrawn);
  };
  const drawError = (field: string, refused: FieldError[]) => (
    <RefusedText key={field} field={field} refused={refused} texts={options.texts} />
  );

  /** Marks the fields; the rest is for the summary. */
  const refuse = (refused: FieldError[], error?: unknown) => {
    const { marked, unmarked } = assign(refused);
    form.setErrors(
      Object.fromEntries(
        [...marked].map(([field, problems]) => [field, drawError(field, problems)]),
      ),
    );
    setRefusal({ error, unmarked, marked: [...marked.keys()] });
    if (marked.size > 0) options.onMarked?.(refused, [...marked.keys()]);
  };

  const codeErrors = (error: unknown, values: V): FieldError[] => {
    if (!(error instanceof ApiError)) return [];
    const path = options.fieldOfCode?.(error.code, values);
    return path ? [{ path, rule: error.code, message: error.body.message }] : [];
  };

  const findErrors = (broken: BrokenRules, body: B) =>
    errorsOf(broken, names, schema, body, form.valueOf);

  const checkField = (field: string): void => {
    const values = getValues();
    const broken = check?.(values) ?? {};
    // Such a check needs the server: its result, or failure, counts when the form is sent.
    if (broken instanceof Promise) return void broken.catch(() => undefined);
    if (!form.valueOf(field)) return;
    const refused = assign(findErrors(broken, toBody(values))).marked.get(field);
    form.setErrors((all) => ({ ...all, [field]: refused && drawError(field, refused) }));
  };

  const run = async (values: V): Promise<void> => {
    let body: B;
    let refused: FieldError[];
    try {
      const broken = check?.(values) ?? {};
      if (broken instanceof Promise) setPending(true);
      const known = broken instanceof Promise ? await broken : broken;
      body = toBody(values);
      refused = findErrors(known, body);
    } catch (error) {
      // The values could not be checked: what that needs did not load, for example.
      return refuse([], error);
    }
    if (refused.length) return refuse(refused);
    form.setErrors({});
    setRefusal(null);
    setPending(true);
    const result = await send(body).catch((error: unknown) => {
      const now = Date.now();
      refuse([...fieldErrors(error), ...codeErrors(error, values)], error);
      setRetryTime(Math.max(retryAt(error, now), now + (options.pauseMs ?? 0)));
      return FAILED;
    });
    if (result === FAILED || !isMounted.current) return;
    form.markSaved(values);
    sent.current = values;
    await onDone?.(result as R, values);
  };

  /**
   * Once at a time: the second click of a double click comes before the button is drawn as pending. It may also come
   * after the response, while the dialog of the form fades.
   */
  const submit = (patch?: Partial<V>): void => {
    const values = { ...getValues(), ...patch };
    const isSent = !options.repeats && isSame(sent.current, values);
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

  const field = (path: string, { type = 'input' }: { type?: Field } = {}): BoundField => ({
    ...form.field(path, type),
    ...(options.checksOnBlur && { onBlur: () => afterPress(() => checkField(path)) }),
  });

  return {
    ref,
    values: form.values,
    errors: form.errors,
    field,
    /** A field of text, no longer than the schema allows. */
    text(path: string) {
      const inBody = Object.keys(names).find((one) => names[one] === path) ?? path;
      return { ...field(path), maxLength: limitOf(schema, inBody) };
    },
    checkField,
    /** Changes fields together; their errors are cleared, or move with their rows. */
    set: form.patch,
    setErrors: (broken: BrokenRules) => refuse(ruleErrors(broken)),
    /** Of fields that a change of another one has answered. */
    clearErrors: form.clearErrors,
    submit,
    reset(): void {
      form.reset();
      setRefusal(null);
      setRetryTime(0);
      sent.current = null;
    },
    /** Continues from what is stored now: there is nothing to save until a field changes. */
    restart(stored: V): void {
      form.markSaved(stored);
      form.patch(stored);
      form.setErrors({});
      setRefusal(null);
      sent.current = null;
    },
    refusal,
    isPending,
    isDirty,
    /** Seconds until a form that was refused by rate may be submitted again. */
    wait,
    blocked: blockedNow(form.values),
  };
}

export type ContractFormState = Pick<
  ReturnType<typeof useContractForm>,
  'ref' | 'errors' | 'refusal' | 'isPending' | 'isDirty' | 'blocked' | 'wait'
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
