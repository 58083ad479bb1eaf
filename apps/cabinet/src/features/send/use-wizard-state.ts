import { useCallback, useDeferredValue, useMemo } from 'react';
import { useBalance } from '../../core/account.ts';
import { fundedBy, shortageOf } from './form/funds.ts';
import { focusField } from './form/focus-field.ts';
import { useSendForm } from './form/form-context.ts';
import { brokenIn, brokenRules, refusedRecipients, type Broken } from './form/send-rules.ts';
import { useEstimate } from './form/use-estimate.ts';
import { useConflict } from './form/use-conflict.ts';
import { usePrices } from './form/use-prices.ts';
import { useSample } from './form/use-sample.ts';
import type { Wizard } from './form/wizard-context.ts';
import { useStep } from './use-step.ts';

/** The wizard's step, errors, estimate and sample recipient. */
export function useWizardState(): Wizard & {
  /** The current errors. */
  check: () => Broken;
} {
  const form = useSendForm();
  const { values } = form;
  const { step, go } = useStep();
  const settled = useDeferredValue(values);
  const conflict = useConflict(settled);
  const prices = usePrices();
  const recordings = prices.hasPerSecondPrice !== false;
  // The balance changes while a message is written.
  const { data: funds } = useBalance();
  const latest = useEstimate(values, { recordings });
  const estimate = latest.estimate && fundedBy(latest.estimate, funds);
  const check = useCallback(
    (now: typeof values) => brokenRules(now, Date.now(), { recordings, conflict }),
    [recordings, conflict],
  );
  const { error } = latest;
  const broken = useMemo(
    () => ({ ...refusedRecipients(error), ...check(settled) }),
    [check, settled, error],
  );
  return {
    step,
    broken,
    check: () => check(values),
    estimate: { ...latest, estimate },
    shortage: shortageOf(estimate, funds, prices.lowest(values.type)),
    sample: useSample(values),
    go(to, field) {
      form.setErrors(field ? brokenIn(to, broken) : {});
      go(to);
      if (field) focusField(field);
    },
  };
}
