import { useMayOpen } from '../core/settings.ts';
import { menuOf, type NavGroup } from './navigation.ts';

/** The menu by the user's permissions. */
export const useNavigation = (): NavGroup[] => menuOf(useMayOpen());
