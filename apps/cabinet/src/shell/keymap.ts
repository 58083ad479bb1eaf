import type { Permission, Preset } from '@heliograph/contract';
import type { Handlers } from '../core/keys/keys.ts';
import type { NavGroup } from './navigation.ts';

/** `g` and then a letter. A path stands for the first page under it. */
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
/** Of the wizard. The first acts while somebody types, too. */
export const SEND_KEYS = {
  next: 'Ctrl Enter · ⌘ Enter',
  step: 'Alt 1 · 2 · 3',
  code: '~',
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
  to: string;
  /** Key in the shell's catalogue. */
  label: string;
}

/** Pages that are always at hand and so not in the menu. */
const AT_HAND: { to: string; label: string; can?: Permission }[] = [
  { to: '/', label: 'shell:nav.home' },
  { to: '/send', label: 'shell:nav.send', can: 'sendings.generate' },
  { to: '/notifications', label: 'shell:bell.open', can: 'billings.find' },
];

/** The places that this person may go to by keys; `groups` is the menu as they may see it. */
export function placesOf(
  groups: NavGroup[],
  can: (permission: Permission, accept?: Preset) => boolean,
): Place[] {
  const items = [
    ...AT_HAND.filter((page) => !page.can || can(page.can)),
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
