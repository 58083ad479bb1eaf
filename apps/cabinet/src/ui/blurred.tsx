import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlur } from '../core/privacy.ts';
import classes from './blurred.module.css';

/** Unreadable while the person blurs sensitive things, for eyes and for screen readers; `what` says what is hidden. */
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
