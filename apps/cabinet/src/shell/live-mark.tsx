import { useTranslation } from 'react-i18next';
import { useLive } from '../core/realtime/live.ts';
import classes from './shell.module.css';

/** Shown while there is no socket, so that rows do not change by themselves. */
export function LiveMark() {
  const { t } = useTranslation();
  const state = useLive();
  const text = t(`shell:live.${state}`);
  return (
    <span className={classes.live} role="status" title={text}>
      <span className={classes.dot} data-state={state} aria-hidden />
      {state === 'waiting' ? (
        <span className={classes.liveText}>{text}</span>
      ) : (
        <span className="visually-hidden">{state === 'on' ? text : ''}</span>
      )}
    </span>
  );
}
