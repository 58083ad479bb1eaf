import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlur } from '../core/privacy.ts';
import classes from './blurred.module.css';

/** Blurs its children, also for screen readers, while blurring is on; `what` names the hidden value. */
export function Blurred({ what, children }: { what: string; children: ReactNode }) {
  const { t } = useTranslation();
  if (!useBlur() || children === null || children === undefined || children === '') return children;
  return (
    <>
      <span className={classes.blurred} inert>
        {children}
      </span>
      <span className="visually-hidden">{t('hidden', { what })}</span>
    </>
  );
}
