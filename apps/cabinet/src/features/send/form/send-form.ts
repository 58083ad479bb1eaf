import { createContext, use, type ReactNode } from 'react';
import { focusField } from '../../../core/forms/form-fields.ts';
import type { useContractForm } from '../../../core/forms/use-contract-form.tsx';
import type { Shortage } from './funds.ts';
import type { Broken, Step } from './send-rules.ts';
import type { MessageValues, PayloadValues, SendValues } from './send-values.ts';
import type { SendEstimate } from './use-estimate.ts';
import type { Sample } from './use-sample.ts';

/** The form of the wizard, as far as its parts need it. */
export type SendForm = Pick<
  ReturnType<typeof useContractForm<SendValues, unknown, unknown>>,
  'values' | 'errors' | 'field' | 'set' | 'setErrors' | 'clearErrors' | 'refusal'
>;

/** State that the parts of the wizard share besides the form's values. */
export interface Wizard {
  step: Step;
  /** Shows a step; `field` is then looked for and focused. */
  go: (step: Step, field?: string) => void;
  broken: Broken;
  estimate: SendEstimate;
  /** There is too little money for it. */
  shortage: Shortage | null;
  /** Somebody whose values the preview shows. */
  sample: Sample;
}

export const SendFormProvider = createContext<SendForm | null>(null);
export const WizardProvider = createContext<Wizard | null>(null);

function inside<T>(value: T | null): T {
  if (!value) throw new Error('outside of the wizard');
  return value;
}
export const useSendForm = (): SendForm => inside(use(SendFormProvider));
export const useWizard = (): Wizard => inside(use(WizardProvider));

/** One message of the form: the sending's own (`null`), or that of a fallback by its place. */
export function useMessage(fallback: number | null) {
  const form = useSendForm();
  const prefix = fallback === null ? '' : `fallbacks.${fallback}.`;
  const message: MessageValues = fallback === null ? form.values : form.values.fallbacks[fallback]!;
  const set = <K extends keyof PayloadValues>(name: K, value: PayloadValues[K]): void =>
    form.field(`${prefix}payload.${name}`).onChange(value);
  return {
    message,
    set,
    setType(type: string): void {
      form.field(`${prefix}type`).onChange(type);
      // Names belong to a channel.
      set('sender', '');
    },
    /** The path of a part in the form: `payload.text`, `fallbacks.0.payload.text`. */
    pathOf: (name: string): string => prefix + name,
    field: (name: string) => form.field(prefix + name),
    errorOf: (name: string): ReactNode => form.errors[prefix + name],
  };
}

/**
 * Moves to the named field, else to the first one that is marked wrong, once it is drawn. `nearest` moves the page no
 * further than brings the field into sight.
 */
export function focusDrawn(field?: string, block: ScrollLogicalPosition = 'center'): void {
  // Two frames: the first draws the step, the second its marks.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const wizard = document.querySelector<HTMLElement>('[data-wizard]');
      if (wizard) focusField(wizard, field, block);
    }),
  );
}

export const isComplete = ({ broken }: Wizard): boolean => Object.keys(broken).length === 0;

/** True when the form is valid, has recipients, is covered by the balance, and its price is known or unavailable. */
export function maySend(wizard: Wizard): boolean {
  const { estimate, isCurrent, error } = wizard.estimate;
  if (!isComplete(wizard) || wizard.shortage || estimate?.recipients === 0) return false;
  return (isCurrent && !!estimate) || !!error;
}
