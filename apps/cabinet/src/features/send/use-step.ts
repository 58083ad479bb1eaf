import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { isStep, type Step } from './form/send-rules.ts';

/** The step in the URL. A new one begins at its top, with the focus on its name. */
export function useStep() {
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
  const go = useCallback(
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
  return { step, go };
}
