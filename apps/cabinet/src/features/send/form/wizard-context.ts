import { createContext, use } from 'react';
import type { Broken, Step } from './send-rules.ts';
import type { Shortage } from './funds.ts';
import type { SendEstimate } from './use-estimate.ts';
import type { Sample } from './use-sample.ts';

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

const Context = createContext<Wizard | null>(null);
export const WizardProvider = Context;

export function useWizard(): Wizard {
  const wizard = use(Context);
  if (!wizard) throw new Error('outside of the wizard');
  return wizard;
}

export const isComplete = ({ broken }: Wizard): boolean => Object.keys(broken).length === 0;

/** True when the form is valid, has recipients, is covered by the balance, and its price is known or unavailable. */
export function maySend(wizard: Wizard): boolean {
  const { estimate, isCurrent, error } = wizard.estimate;
  if (!isComplete(wizard) || wizard.shortage || estimate?.recipients === 0) return false;
  return (isCurrent && !!estimate) || !!error;
}
