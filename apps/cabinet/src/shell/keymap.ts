import type { MayOpen, PagePath } from '../core/access.ts';
import type { Handlers } from '../core/keys/keys.ts';
import type { NavGroup } from './navigation.ts';

/** `g` and then a letter. A path means the first page under it. */
export const GO: Record<string, string> = {
  h: '/',
  s: '/send',
  o: '/messages/outgoing',
  i: '/messages/incoming',
  t: '/messages/tasks',
  c: '/contacts',
  n: '/notifications',
  b: '/balance',
  f: '/storage',
  d: '/documentation',
  u: '/users',
  w: '/widgets',
};

/** Keys of lists and of everything, by their texts in the catalogue. */
export const LIST_KEYS = {
  search: '/',
  filter: 'f',
  views: 'v',
  refresh: 'r',
  new: 'n',
  down: 'j',
  up: 'k',
  open: 'Enter',
  select: 'x',
  range: 'Shift X',
  edit: 'e',
  acts: '.',
  copy: 'c',
  previous: '[',
  next: ']',
  clear: 'Esc',
};
/** Keys of the send wizard. The first also works while the user types. */
export const SEND_KEYS = {
  next: 'Ctrl Enter · ⌘ Enter',
  step: 'Alt 1 · 2 · 3',
  code: '~',
};
/** Keys of conversations. They also work while the user types. */
export const CONVERSATION_KEYS = {
  next: 'Alt ↓',
  previous: 'Alt ↑',
};
export const GENERAL_KEYS = {
  palette: 'Ctrl K · ⌘ K',
  sheet: '?',
  notice: 'z',
  blur: 'Shift B',
  theme: 'Shift D',
};

export interface Place {
  letter: string;
  to: PagePath;
  /** Key in the shell's catalogue. */
  label: string;
}

/** Pages that are reachable from every page and so not in the menu. */
const AT_HAND: { to: PagePath; label: string }[] = [
  { to: '/', label: 'shell:nav.home' },
  { to: '/send', label: 'shell:nav.send' },
  { to: '/notifications', label: 'shell:bell.open' },
  { to: '/documentation', label: 'documentation' },
];

/** The pages that the user may open by keys; `groups` is the user's menu. */
export function placesOf(groups: NavGroup[], mayOpen: MayOpen): Place[] {
  const items = [
    ...AT_HAND.filter(({ to }) => mayOpen(to)),
    ...groups.flatMap((group) => group.items),
  ];
  return Object.entries(GO).flatMap(([letter, path]) => {
    const item =
      items.find(({ to }) => to === path) ??
      items.find(({ to }) => path !== '/' && to.startsWith(`${path}/`));
    return item ? [{ letter, to: item.to, label: item.label }] : [];
  });
}

export function goKeys(places: Place[], go: (to: string) => void): Handlers {
  return Object.fromEntries(places.map(({ letter, to }) => [`g ${letter}`, () => go(to)]));
}
