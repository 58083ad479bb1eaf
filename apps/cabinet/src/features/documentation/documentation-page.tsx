import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { redirect, useParams, type LoaderFunctionArgs, NavLink } from 'react-router';
import { i18n, loadTexts } from '../../core/i18n/i18n.ts';
import { queryClient } from '../../core/query.ts';
import { later } from '../../ui/later.tsx';
import { documentationPath } from '../../ui/markdown-links.ts';
import { Article } from './article.tsx';
import { pageQuery, pagesQuery, type PageEntry } from './documentation.api.ts';
import classes from './documentation.module.css';
import { SearchField } from './search-field.tsx';

// The index is made when it is first needed.
const SearchResults = later(async () => (await import('./search-results.tsx')).SearchResults);

/** Loads the page before it is drawn: its heading takes the focus. Without a page in the address, leads to the first. */
export async function documentationLoader({ params }: LoaderFunctionArgs) {
  await loadTexts(['documentation']);
  const { language } = i18n;
  const { category, '*': file } = params;
  if (category && file) {
    await Promise.all([
      queryClient.prefetchQuery(pagesQuery(language)),
      queryClient.prefetchQuery(pageQuery(language, category, file)),
    ]);
    return null;
  }
  const pages = await queryClient.fetchQuery(pagesQuery(language));
  const target = pages.find((page) => page.category === category) ?? pages[0]!;
  return redirect(documentationPath(target.category, target.file));
}

export function DocumentationPage() {
  const { category = '', '*': file = '' } = useParams();
  const { language } = useTranslation().i18n;
  const { data: pages = [] } = useQuery(pagesQuery(language));
  const [text, setText] = useState('');
  return (
    <>
      <div className={classes.bar}>
        <PageLinks pages={pages} />
        <SearchField value={text} onChange={setText} />
      </div>
      {text.trim().length > 1 && (
        <SearchResults text={text} pages={pages} onChoose={() => setText('')} />
      )}
      {/* Kept, so that closing the results leads back to the place that was read. */}
      <div hidden={text.trim().length > 1}>
        <Article key={`${category}/${file}`} category={category} file={file} />
      </div>
    </>
  );
}

/** All pages there are, by category, in the order of the list. */
function PageLinks({ pages }: { pages: PageEntry[] }) {
  const { t } = useTranslation();
  const categories = [...new Set(pages.map(({ category }) => category))];
  return (
    <nav className={classes.pages} aria-label={t('documentation:pages')}>
      {categories.map((category) => (
        <ul key={category} aria-label={t(`documentation:category.${category}`)}>
          <li aria-hidden>{t(`documentation:category.${category}`)}</li>
          {pages
            .filter((page) => page.category === category)
            .map(({ file, title, locale }) => (
              <li key={file}>
                <NavLink to={documentationPath(category, file)} lang={locale}>
                  {title}
                </NavLink>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}
