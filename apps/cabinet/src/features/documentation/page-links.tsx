import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { documentationPath } from '../../ui/markdown-links.ts';
import type { PageEntry } from './documentation.api.ts';
import classes from './documentation.module.css';

/** All pages there are, by category, in the order of the list. */
export function PageLinks({ pages }: { pages: PageEntry[] }) {
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
