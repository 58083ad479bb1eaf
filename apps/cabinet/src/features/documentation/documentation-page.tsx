import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router';
import { documentationPath } from '../../ui/markdown-links.ts';
import { later } from '../../ui/later.tsx';
import { Article } from './article.tsx';
import { pagesQuery } from './documentation.api.ts';
import classes from './documentation.module.css';
import { PageLinks } from './page-links.tsx';
import { SearchField } from './search-field.tsx';

// The index is made when it is first needed.
const SearchResults = later(async () => (await import('./search-results.tsx')).SearchResults);

/** Pages of the documentation; without a page in the address, the first one. */
export function DocumentationPage() {
  const { category, '*': file } = useParams();
  const { i18n } = useTranslation();
  const { data: pages = [] } = useQuery(pagesQuery(i18n.language));
  const [text, setText] = useState('');
  const [first] = pages;
  if (!category || !file) {
    const target = pages.find((page) => page.category === category) ?? first;
    return target ? (
      <Navigate to={documentationPath(target.category, target.file)} replace />
    ) : null;
  }
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
