import { Mark, Skeleton, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useMemo, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageHeader } from '../../ui/page-header.tsx';
import { documentationPath } from '../../ui/markdown-links.ts';
import { pageQuery, type PageEntry } from './documentation.api.ts';
import classes from './documentation.module.css';
import { createIndex, find, sectionsOf } from './search.ts';
import { RESULTS } from './search-field.tsx';

interface SearchResultsProps {
  text: string;
  pages: PageEntry[];
  onChoose: () => void;
}

/** Sections of all pages that have the words. */
export function SearchResults({ text, pages, onChoose }: SearchResultsProps) {
  const { t, i18n } = useTranslation();
  const texts = useQueries({
    queries: pages.map(({ category, file }) => pageQuery(i18n.language, category, file)),
    combine: (all) =>
      all.every(({ isPending }) => !isPending) ? all.map(({ data }) => data?.text ?? '') : null,
  });
  const index = useMemo(
    () =>
      texts &&
      createIndex(pages.flatMap(({ category, file }, i) => sectionsOf(category, file, texts[i]!))),
    [pages, texts],
  );
  if (!index) return <Skeleton height={200} />;
  const found = find(index, text);
  return (
    <section aria-label={t('documentation:results')}>
      <PageHeader title={t('documentation:results')} />
      <Text size="sm" c="dimmed" role="status" mb="sm">
        {t('documentation:found', { count: found.length })}
      </Text>
      <ol id={RESULTS} className={classes.results} onKeyDown={moveFocus}>
        {found.map(({ id, category, file, anchor, page, heading, fragment }) => (
          <li key={id}>
            <Link to={documentationPath(category, file, anchor)} onClick={onChoose}>
              {heading || page}
            </Link>
            {heading && (
              <Text size="xs" c="dimmed">
                {page}
              </Text>
            )}
            <Text size="sm" lineClamp={2}>
              {fragment.map((part, i) =>
                part.isMatch ? <Mark key={i}>{part.text}</Mark> : <span key={i}>{part.text}</span>,
              )}
            </Text>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The arrows go from result to result, and from the first one back to the field. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll('a')];
  const next = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
  if (next < 0) document.querySelector<HTMLElement>('input[type=search]')?.focus();
  else links[next]?.focus();
}
