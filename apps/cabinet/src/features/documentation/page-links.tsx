import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { documentationPath } from '../../ui/markdown-links.ts';
import type { PageEntry } from './documentation.api.ts';
import classes from './documentation.module.css';

/** All pages there are. */
export function PageLinks({ pages }: { pages: PageEntry[] }) {
  const { t } = useTranslation();
  return (
    <nav className={classes.pages} aria-label={t('documentation:pages')}>
      {pages.map(({ category, file, title, locale }) => (
        <NavLink key={category + file} to={documentationPath(category, file)} lang={locale}>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}
