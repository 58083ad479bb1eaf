import { isMantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import { entryOf, setPersonal } from '../personal/mirror.ts';
import { browserStorage, subscribe } from '../browser-storage.ts';

const { name } = entryOf('theme');
let leave = (): void => {};

/** The color scheme is a personal setting: it follows other tabs and devices. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get(otherwise) {
    const scheme = browserStorage.get(name);
    return isMantineColorScheme(scheme) ? scheme : otherwise;
  },
  set(scheme) {
    // Also called for a scheme that has just been read.
    if (scheme !== browserStorage.get(name))
      setPersonal('theme', scheme === 'auto' ? 'system' : scheme);
  },
  subscribe(onUpdate) {
    let shown = browserStorage.get(name);
    leave = subscribe(() => {
      const scheme = browserStorage.get(name);
      if (scheme === shown) return;
      shown = scheme;
      if (isMantineColorScheme(scheme)) onUpdate(scheme);
    });
  },
  unsubscribe: () => leave(),
  clear: () => setPersonal('theme', null),
};
