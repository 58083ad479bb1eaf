import type {
  ListSettings,
  ListSettingsKey,
  SettingsUser,
  UserSettingName,
} from '@heliograph/contract';
import { browserStorage, tabStorage } from '../browser-storage.ts';

/**
 * Personal settings as this browser has them: read at once, before and without the server. A change is kept as pending until
 * the account has it (`sync.ts`). docs/decisions/024-personal-settings.md.
 */
type Values = { [Name in UserSettingName]: NonNullable<SettingsUser[Name]> };
export type PersonalKey = UserSettingName | ListSettingsKey;
export type PersonalValue<K extends PersonalKey> = K extends UserSettingName
  ? Values[K]
  : ListSettings;

interface Entry {
  /** Its name in the browser's storage. */
  name: string;
  encode: (value: never) => string;
  decode: (text: string) => unknown;
}

const plain = (name: string): Entry => ({ name, encode: (v: string) => v, decode: (v) => v });
const json = (name: string): Entry => ({ name, encode: JSON.stringify, decode: parsed });
/** Kept as `on` or `off`; `isOn` is the value of the setting for `on`. */
const flag = (name: string, isOn: boolean): Entry => ({
  name,
  encode: (value: boolean) => (value === isOn ? 'on' : 'off'),
  decode: (text) => (text === 'on') === isOn,
});

/** Names that the page reads before its code (`public/boot.js`) or had before the settings were personal. */
const ENTRIES: Record<UserSettingName, Entry> = {
  locale: plain('heliograph.locale'),
  timeZone: plain('heliograph.timeZone'),
  theme: {
    name: 'mantine-color-scheme-value',
    encode: (value: string) => (value === 'system' ? 'auto' : value),
    decode: (text) => (text === 'auto' ? 'system' : text),
  },
  density: plain('heliograph.density'),
  shortcuts: flag('heliograph.keysOff', false),
  hidePersonalData: flag('heliograph.blur', true),
  reports: json('heliograph.reports'),
};
export const SETTING_NAMES = Object.keys(ENTRIES) as UserSettingName[];

/** Whose settings these are. In a session opened by login-as they stay those of the impersonator. */
const OWNER = 'heliograph.settings.owner';
/** The session's token (`session.ts`), which the first code of the page need not load for this. */
const TOKEN = 'heliograph.token';
/** Settings that were chosen in this tab before the sign-in. */
const CHOSEN = 'heliograph.settings.chosen';

export const ownerOfMirror = {
  get: (): string | null => browserStorage.get(OWNER),
  set: (userId: string): void => put(OWNER, userId),
};

export function entryOf(key: PersonalKey): Entry {
  const entry = ENTRIES[key as UserSettingName] as Entry | undefined;
  return entry ?? json(listPrefix(ownerOfMirror.get() ?? '') + key.slice('list.'.length));
}

export const listPrefix = (owner: string) => `heliograph.list.${owner}.`;

export function readPersonal<K extends PersonalKey>(key: K): PersonalValue<K> | undefined {
  const { name, decode } = entryOf(key);
  const text = browserStorage.get(name);
  return text === null ? undefined : (decode(text) as PersonalValue<K>);
}

/** Changes the copy of this browser only. */
export function mirror(key: PersonalKey, value: unknown): void {
  const { name, encode } = entryOf(key);
  put(name, value === null || value === undefined ? null : encode(value as never));
}

type Writer = (key: PersonalKey) => void;
const writers = new Set<Writer>();
export const onPersonalWrite = (run: Writer) => void writers.add(run);

/** Changes a setting here at once, and in the account as soon as it can be reached. Null removes it. */
export function setPersonal<K extends PersonalKey>(key: K, value: PersonalValue<K> | null): void {
  mirror(key, value);
  const owner = ownerOfMirror.get();
  if (!owner || browserStorage.get(TOKEN) === null) {
    tabStorage.set(CHOSEN, JSON.stringify([...new Set([...chosen(), key])]));
    return;
  }
  pending.put(owner, key, value);
  for (const run of writers) run(key);
}

/** What was chosen in this tab without a session, once: it is the choice of the person who signs in next. */
export function takeChosen(): PersonalKey[] {
  const keys = chosen();
  tabStorage.set(CHOSEN, null);
  return keys;
}

const chosen = (): PersonalKey[] => {
  const keys = parsed(tabStorage.get(CHOSEN));
  return Array.isArray(keys) ? (keys as PersonalKey[]) : [];
};

const prefixOf = (owner: string) => `heliograph.pending.${owner}.`;

/** Changes that the account does not have yet, each with an id of its own, since it may change again meanwhile. */
export const pending = {
  put: (owner: string, key: PersonalKey, value: unknown): void =>
    put(prefixOf(owner) + key, JSON.stringify({ id: Math.random(), value })),
  /** The text identifies the change. */
  get(owner: string, key: PersonalKey): { text: string; value: unknown } | null {
    const text = browserStorage.get(prefixOf(owner) + key);
    const change = parsed(text) as { value?: unknown } | null;
    return text && change ? { text, value: change.value ?? null } : null;
  },
  /** Unless it has changed since. */
  done(owner: string, key: PersonalKey, text: string): void {
    if (browserStorage.get(prefixOf(owner) + key) === text) put(prefixOf(owner) + key, null);
  },
  keys: (owner: string): PersonalKey[] =>
    browserStorage
      .names(prefixOf(owner))
      .map((name) => name.slice(prefixOf(owner).length) as PersonalKey),
};

function put(name: string, text: string | null): void {
  if (browserStorage.get(name) !== text) browserStorage.set(name, text);
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
