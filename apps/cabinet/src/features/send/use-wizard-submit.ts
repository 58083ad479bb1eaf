import { useKeys } from '../../core/keys/keys.ts';
import type { Created } from './send.api.ts';
import { focusField } from './form/focus-field.ts';
import { useSendForm } from './form/form-context.ts';
import { brokenIn, nextStep, stepOf, type Broken } from './form/send-rules.ts';
import { maySend } from './form/wizard-context.ts';
import { useSend } from './use-send.ts';
import type { useWizardState } from './use-wizard-state.ts';

/** Moves to the next step and at the end sends, by buttons and by keys. The first invalid field stops it and gets the focus. */
export function useWizardSubmit(
  wizard: ReturnType<typeof useWizardState>,
  onCreated: (created: Created) => void,
) {
  const form = useSendForm();
  const { step, check } = wizard;
  /** Returns whether there was an error. */
  const stopAt = (wrong: Broken): boolean => {
    const [field] = Object.keys(wrong);
    if (!field) return false;
    if (stepOf(field) !== step) wizard.go(stepOf(field));
    form.setErrors(wrong);
    focusField(field);
    return true;
  };
  const { send, isPending, ...refused } = useSend(form.values, { onCreated, onRefused: stopAt });
  const onNext = () => {
    const to = nextStep(step);
    if (to && !stopAt(brokenIn(step, check()))) wizard.go(to);
  };
  const onSend = () => {
    if (!isPending && !stopAt(check())) send();
  };
  useKeys({
    'mod+enter': () => {
      // It works while the user types, but a dialog has its own submit.
      if (document.querySelector('[aria-modal=true]')) return;
      if (step !== 'send') onNext();
      else if (maySend(wizard)) onSend();
      else stopAt(check());
    },
  });
  return { onNext, onSend, isSending: isPending, ...refused };
}
