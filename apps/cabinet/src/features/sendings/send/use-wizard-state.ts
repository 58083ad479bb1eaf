import { useCallback, useDeferredValue, useMemo } from 'react';
import { useBalance } from '../../../core/account.ts';
import { fundedBy, shortageOf } from '../funds.ts';
import { focusField } from './form/focus-field.ts';
import { useSendForm } from './form/form-context.ts';
import { brokenIn, brokenRules, refusedRecipients, type Broken } from './form/send-rules.ts';
import { useEstimate } from './form/use-estimate.ts';
import { usePrices } from './form/use-prices.ts';
import { useSample } from './form/use-sample.ts';
import type { Wizard } from './form/wizard-context.ts';
import { useStep } from './use-step.ts';

/** How the form stands: its step, what is wrong with it, what it costs and whom it is shown for. */
export function useWizardState(): Wizard & {
  /** What is wrong this very moment. */
  check: () => Broken;
} {
  const form = useSendForm();
  const { values } = form;
  const { step, go } = useStep();
  const settled = useDeferredValue(values);
  const prices = usePrices();
  const recordings = prices.hasPerSecondPrice !== false;
  // Money comes and goes while a message is written.
  const { data: funds } = useBalance();
  const reckoned = useEstimate(values, { recordings });
  const estimate = reckoned.estimate && fundedBy(reckoned.estimate, funds);
  const check = useCallback(
    (now: typeof values) => brokenRules(now, Date.now(), { recordings }),
    [recordings],
  );
  const { error } = reckoned;
  const broken = useMemo(
    () => ({ ...refusedRecipients(error), ...check(settled) }),
    [check, settled, error],
  );
  return {
    step,
    broken,
    check: () => check(values),
    estimate: { ...reckoned, estimate },
    shortage: shortageOf(estimate, funds, prices.lowest(values.type)),
    sample: useSample(values),
    go(to, field) {
      form.setErrors(field ? brokenIn(to, broken) : {});
      go(to);
      if (field) focusField(field);
    },
  };
}
