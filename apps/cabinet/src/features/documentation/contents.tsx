import { useEffect, useRef, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Heading } from '../../ui/markdown-parser.ts';
import classes from './documentation.module.css';

interface ContentsProps {
  headings: Heading[];
  active: string | null;
  /** Beside the text; else a dropdown above it. */
  isBeside: boolean;
}

export function Contents({ headings, active, isBeside }: ContentsProps) {
  const { t } = useTranslation();
  const details = useRef<HTMLDetailsElement>(null);
  const label = t('documentation:contents');
  const list = (
    <Entries
      headings={headings}
      current={active}
      onChoose={() => details.current?.removeAttribute('open')}
    />
  );
  if (headings.length === 0) return null;
  if (isBeside)
    return (
      <nav className={classes.beside} aria-label={label}>
        {list}
      </nav>
    );
  return (
    <details className={classes.dropdown} ref={details}>
      <summary>{label}</summary>
      <nav aria-label={label}>{list}</nav>
    </details>
  );
}

interface EntriesProps {
  headings: Heading[];
  current: string | null;
  onChoose: () => void;
}

function Entries({ headings, current, onChoose }: EntriesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Only the list itself scrolls, not the page.
    const entry = list.current?.querySelector<HTMLElement>('[aria-current]');
    const box = list.current?.parentElement;
    if (!entry || !box) return;
    const isVisible =
      entry.offsetTop >= box.scrollTop &&
      entry.offsetTop + entry.offsetHeight <= box.scrollTop + box.clientHeight;
    if (!isVisible) box.scrollTop = entry.offsetTop - box.clientHeight / 2;
  }, [current]);
  return (
    <ul ref={list}>
      {headings.map(({ id, level, text }) => (
        <li key={id} style={{ '--depth': Math.max(0, level - 2) } as CSSProperties}>
          <Link
            to={`?id=${encodeURIComponent(id)}`}
            preventScrollReset
            aria-current={id === current ? 'true' : undefined}
            onClick={onChoose}
          >
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
}
