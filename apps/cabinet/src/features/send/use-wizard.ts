import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useBalance } from '../../core/account.ts';
import { errorText, fieldErrors, requestId } from '../../core/errors.ts';
import { useContractForm } from '../../core/forms/use-contract-form.tsx';
import { useKeys } from '../../core/keys/keys.ts';
import { useSettings } from '../../core/settings.ts';
import { useFormats } from '../../core/use-formats.ts';
import { createDefaultTitles } from './form/default-title.ts';
import { fundedBy, shortageOf } from './form/funds.ts';
import { focusDrawn, maySend, type Wizard } from './form/send-form.ts';
import {
  brokenIn,
  brokenRules,
  fieldOf,
  fieldOfCode,
  FIELDS,
  isField,
  isStep,
  NAMES,
  nextStep,
  refusedRecipients,
  stepOf,
  type Step,
} from './form/send-rules.ts';
import { toInput, type SendValues } from './form/send-values.ts';
import { useConflict, useEstimate } from './form/use-estimate.ts';
import { usePrices } from './form/use-prices.ts';
import { useSample } from './form/use-sample.ts';
import { useCreateSending, type Created } from './send.api.ts';

/** The form of the wizard, its state besides, and what its buttons do. */
export function useSendWizard(initial: SendValues, onCreated: (created: Created) => void) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sendernamesCheck } = useSettings().sendings;
  const { step, showStep } = useStep();
  const [titles] = useState(createDefaultTitles);
  const titleOf = (values: SendValues) =>
    `${t(`common:type.${values.type}`)} ${formats.dateTimeShort(new Date().toISOString())}`;
  const { sendAsync, error, fault, needsPhone } = useCreateSending({
    onCreated(created) {
      titles.forget();
      onCreated(created);
    },
  });
  const form = useContractForm({
    initial,
    names: NAMES,
    fields: FIELDS,
    fieldOfCode: (code, values) => fieldOfCode(code, values, sendernamesCheck),
    // A message that was refused after validation may be sent again.
    repeats: true,
    toBody: (values: SendValues) => titles.withTitle(toInput(values), () => titleOf(values)),
    submit: sendAsync,
    onMarked: (_, [field]) => show(field!),
  });
  const show = (field: string): void => {
    if (stepOf(field) !== step) showStep(stepOf(field));
    focusDrawn(field);
  };
  const { values } = form;
  const settled = useDeferredValue(values);
  const conflict = useConflict(settled);
  const prices = usePrices();
  const recordings = prices.hasPerSecondPrice !== false;
  // The balance changes while a message is written.
  const { data: funds } = useBalance();
  const latest = useEstimate(values, { recordings });
  const estimate = latest.estimate && fundedBy(latest.estimate, funds);
  const check = useCallback(
    (now: SendValues) => brokenRules(now, Date.now(), { recordings, conflict }),
    [recordings, conflict],
  );
  const broken = useMemo(
    () => ({ ...refusedRecipients(latest.error), ...check(settled) }),
    [check, settled, latest.error],
  );
  const wizard: Wizard = {
    step,
    broken,
    estimate: { ...latest, estimate },
    shortage: shortageOf(estimate, funds, prices.lowest(values.type)),
    sample: useSample(values),
    go(to, field) {
      form.setErrors(field ? brokenIn(to, broken) : {});
      showStep(to);
      if (field) focusDrawn(field);
    },
  };

  /** The first invalid field stops it and gets the focus. Returns whether there was one. */
  const stopAt = (wrong: typeof broken): boolean => {
    const isWrong = Object.keys(wrong).length > 0;
    if (isWrong) form.setErrors(wrong);
    return isWrong;
  };
  const onNext = () => {
    const to = nextStep(step);
    if (to && !stopAt(brokenIn(step, check(values)))) wizard.go(to);
  };
  const onSend = () => {
    if (!form.isPending && !stopAt(check(values))) form.submit();
  };
  useKeys({
    'mod+enter': () => {
      // It works while the user types, but a dialog has its own submit.
      if (document.querySelector('[aria-modal=true]')) return;
      if (step !== 'send') onNext();
      else if (maySend(wizard)) onSend();
      else stopAt(check(values));
    },
  });
  return {
    form,
    wizard,
    submit: {
      onNext,
      onSend,
      isSending: form.isPending,
      needsPhone,
      refusal: error
        ? { text: refusalText(), requestId: requestId(error) }
        : fault
          ? { text: fault }
          : null,
    },
  };

  /** Errors without a field are shown above the buttons. */
  function refusalText(): string {
    const refused = fieldErrors(error);
    const unmarked = refused.filter(({ path }) => !isField(fieldOf(path)));
    return refused.length && !unmarked.length
      ? t('errors:code.validation')
      : errorText(t, error, unmarked);
  }
}

/** The step in the URL. A new one begins at its top, with the focus on its name. */
function useStep() {
  const [params, setParams] = useSearchParams();
  const wanted = params.get('step');
  const step = isStep(wanted) ? wanted : 'message';
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    scrollTo({ top: 0 });
    document.querySelector<HTMLElement>('[data-step-title]')?.focus({ preventScroll: true });
  }, [step]);
  const showStep = useCallback(
    (to: Step) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          next.set('step', to);
          return next;
        },
        { preventScrollReset: true },
      ),
    [setParams],
  );
  return { step, showStep };
}
