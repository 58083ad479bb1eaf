import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { SectionMark, type SectionState } from './section-mark.tsx';
import classes from './section-form.module.css';

interface SectionNavProps {
  sections: readonly { id: string; title: string }[];
  states: readonly SectionState[];
}

/** Links to the sections of a form; the one that is read is marked. */
export function SectionNav({ sections, states }: SectionNavProps) {
  const { t } = useTranslation();
  const { pathname, search } = useLocation();
  const current = useVisibleSection(sections.map(({ id }) => id).join(' '));
  return (
    <nav className={classes.nav} aria-label={t('common:section.nav')}>
      {sections.map(({ id, title }, i) => (
        <Link
          key={id}
          to={{ pathname, search, hash: id }}
          replace
          preventScrollReset
          className={classes.link}
          aria-current={id === current ? 'location' : undefined}
        >
          <span>{title}</span>
          <SectionMark state={states[i]!} />
        </Link>
      ))}
    </nav>
  );
}

/** The first section in the upper half of the window. `ids` are separated by spaces. */
function useVisibleSection(ids: string): string | undefined {
  const [visible, setVisible] = useState<readonly string[]>([]);
  useEffect(() => {
    if (typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (entries) =>
        setVisible((before) => {
          const left = before.filter((id) => !entries.some(({ target }) => target.id === id));
          const entered = entries.filter((entry) => entry.isIntersecting);
          return [...left, ...entered.map(({ target }) => target.id)];
        }),
      { rootMargin: '0px 0px -50% 0px' },
    );
    for (const id of ids.split(' ')) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [ids]);
  return ids.split(' ').find((id) => visible.includes(id));
}
