import { useTranslation } from 'react-i18next';
import { IconCheck } from '../../ui/icons.ts';
import { STEPS, stepStates } from './form/send-rules.ts';
import classes from './step-nav.module.css';
import { useWizard } from './form/wizard-context.ts';

/** The three steps with their states; each can be opened. */
export function StepNav() {
  const { t } = useTranslation();
  const { step: current, go, broken } = useWizard();
  const states = stepStates(current, broken);
  return (
    <nav aria-label={t('send:steps')}>
      <ol className={classes.steps}>
        {STEPS.map((step, index) => (
          <li key={step} className={classes.item}>
            <button
              type="button"
              className={classes.step}
              data-state={states[step]}
              aria-current={step === current ? 'step' : undefined}
              aria-keyshortcuts={`Alt+${index + 1}`}
              onClick={() => go(step)}
            >
              <span className={classes.mark} aria-hidden>
                {states[step] === 'success' ? <IconCheck size={16} /> : index + 1}
              </span>
              <span>{t(`send:step.${step}`)}</span>
              <span className="visually-hidden">{t(`send:stepState.${states[step]}`)}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
