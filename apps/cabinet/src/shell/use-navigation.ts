import { useCan, useSettings } from '../core/settings.ts';
import { isOffered } from '../core/offered.ts';
import { messageParts, MESSAGES, NAVIGATION, type NavGroup } from './navigation.ts';

/** The menu by the user's permissions. */
export function useNavigation(): NavGroup[] {
  const can = useCan();
  const settings = useSettings();
  return NAVIGATION.map((group) => ({
    ...group,
    items:
      group.items === MESSAGES
        ? messageParts(can)
        : group.items.filter((item) => can(item.can, item.accept) && isOffered(item, settings)),
  })).filter(({ items }) => items.length > 0);
}
