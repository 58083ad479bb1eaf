import { useEffect, useRef } from 'react';
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

/** Headings of deeper levels would make the contents as long as the page. */
const DEEPEST = 3;

export function Contents({ headings, active, isBeside }: ContentsProps) {
  const { t } = useTranslation();
  const details = useRef<HTMLDetailsElement>(null);
  const label = t('documentation:contents');
  const listed = headings.filter(({ level }) => level <= DEEPEST);
  // A heading that is not listed stands for the listed one above it.
  const at = headings.findIndex(({ id }) => id === active);
  const current = headings.slice(0, at + 1).findLast(({ level }) => level <= DEEPEST)?.id;
  const list = (
    <Entries
      headings={listed}
      current={current}
      onChoose={() => details.current?.removeAttribute('open')}
    />
  );
  if (listed.length === 0) return null;
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
  current?: string;
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
        <li key={id} data-level={level}>
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
