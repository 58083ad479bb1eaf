/** The relevant fields of a key event. */
export interface Press {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The second key of a chord may take this long. */
export const CHORD_MS = 1500;

/** Positions of the signs on most keyboards; other layouts have other characters there. */
const SIGNS: Record<string, [plain: string, shifted: string]> = {
  Slash: ['/', '?'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Period: ['.', '>'],
  Backquote: ['`', '~'],
};

/**
 * A press as the keymap writes it: `g`, `?`, `shift+b`, `mod+k` (Ctrl or Cmd). A letter of another script counts as
 * the Latin one on the same key, so that the map works on a Cyrillic layout; Latin layouts keep their own letters.
 */
export function strokeOf(press: Press): string {
  const { code, ctrlKey, metaKey, altKey, shiftKey } = press;
  const key = press.key.toLowerCase();
  const letter = /^[a-z]$/.test(key) ? key : /^Key[A-Z]$/.test(code) ? code[3]!.toLowerCase() : '';
  const mods = `${ctrlKey || metaKey ? 'mod+' : ''}${altKey ? 'alt+' : ''}`;
  if (letter) return `${mods}${shiftKey ? 'shift+' : ''}${letter}`;
  // With Alt, digits type other characters on some keyboards.
  if (altKey && /^Digit\d$/.test(code)) return mods + code[5]!;
  // The full stop is matched by its character: on a Cyrillic layout it is at the position of the slash.
  const isSign = /^[/?[\]{}`~]$/.test(key);
  return mods + (isSign ? key : (SIGNS[code]?.[shiftKey ? 1 : 0] ?? key));
}

export interface Pending {
  stroke: string;
  at: number;
}

/** The chord so far: the pending stroke and this one, or this stroke alone. */
export function sequenceOf(pending: Pending | null, stroke: string, now: number): string {
  return pending && now - pending.at <= CHORD_MS ? `${pending.stroke} ${stroke}` : stroke;
}
