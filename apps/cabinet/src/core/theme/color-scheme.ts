import { isMantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import { entryOf, setPersonal } from '../personal/mirror.ts';
import { stored, subscribe } from '../stored.ts';

const { name } = entryOf('theme');
let leave = (): void => {};

/** The color scheme is a personal setting: it follows other tabs and devices. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get(otherwise) {
    const scheme = stored.get(name);
    return isMantineColorScheme(scheme) ? scheme : otherwise;
  },
  set(scheme) {
    // Also called for a scheme that has just been read.
    if (scheme !== stored.get(name)) setPersonal('theme', scheme === 'auto' ? 'system' : scheme);
  },
  subscribe(onUpdate) {
    let shown = stored.get(name);
    leave = subscribe(() => {
      const scheme = stored.get(name);
      if (scheme === shown) return;
      shown = scheme;
      if (isMantineColorScheme(scheme)) onUpdate(scheme);
    });
  },
  unsubscribe: () => leave(),
  clear: () => setPersonal('theme', null),
};
