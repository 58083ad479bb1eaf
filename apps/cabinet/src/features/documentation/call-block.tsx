import { useState, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../../ui/later.tsx';
import classes from './documentation.module.css';
import type { OfferedCall } from './offered-calls.ts';

const CallExamples = later(async () => (await import('./call-examples.tsx')).CallExamples);

const CallConsole = later(async () => (await import('./call-console.tsx')).CallConsole);

interface CallBlockProps {
  call: OfferedCall;
  /** The test token of this page, which nothing else remembers. */
  tokenRef: RefObject<string>;
  /** The example as the page has it. */
  children: ReactNode;
}

/** The example of a call, and on demand what is made of it: a page has hundreds of them. */
export function CallBlock({ call, tokenRef, children }: CallBlockProps) {
  const { t, i18n } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isTrying, setTrying] = useState(false);
  return (
    <div className={classes.call}>
      {children}
      <div className={classes.acts} lang={i18n.language}>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('documentation:call.examples')}
          <span className="visually-hidden"> {call.title}</span>
        </button>
        {call.isForTests ? (
          <button type="button" aria-haspopup="dialog" onClick={() => setTrying(true)}>
            {t('documentation:call.try')}
            <span className="visually-hidden"> {call.title}</span>
          </button>
        ) : (
          <span>{t('documentation:call.noTests')}</span>
        )}
      </div>
      {isOpen && <CallExamples call={call} />}
      {isTrying && <CallConsole call={call} tokenRef={tokenRef} onClose={() => setTrying(false)} />}
    </div>
  );
}
