import type { KeyboardEvent } from 'react';
import { NavLink } from 'react-router';
import classes from './route-tabs.module.css';
import { useCurrentInView } from './use-current-in-view.ts';

export interface RouteTab {
  to: string;
  label: string;
  /** Not current on the paths below it. */
  end?: boolean;
}

interface RouteTabsProps {
  /** Names the navigation. */
  label: string;
  tabs: readonly RouteTab[];
  /** The menu of wide windows has the same links: the tabs are for those without it. */
  inMenu?: boolean;
}

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => (at < last ? at + 1 : 0),
  ArrowLeft: (at, last) => (at > 0 ? at - 1 : last),
  Home: () => 0,
  End: (_, last) => last,
};

/** Tabs that are links of child routes. One tab alone is not drawn. In a narrow window they scroll. */
export function RouteTabs({ label, tabs, inMenu }: RouteTabsProps) {
  const ref = useCurrentInView();
  // Tabs are links, so Tab reaches each of them; the arrows are for those who expect them of tabs.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...event.currentTarget.querySelectorAll('a')];
    const next = STEPS[event.key]?.(
      links.indexOf(event.target as HTMLAnchorElement),
      links.length - 1,
    );
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    links[next]?.focus();
  };
  if (tabs.length < 2) return null;
  return (
    <nav
      ref={ref}
      aria-label={label}
      className={classes.tabs}
      data-in-menu={inMenu || undefined}
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ to, label: text, end }) => (
        <NavLink key={to} to={to} end={end} className={classes.tab}>
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
