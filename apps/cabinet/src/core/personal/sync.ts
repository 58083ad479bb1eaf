import {
  ApiError,
  settingsUser,
  type SettingChange,
  type Settings,
  type SettingsUser,
} from '@heliograph/contract';
import { api } from '../api.ts';
import { i18n } from '../i18n/i18n.ts';
import { isLocale } from '../i18n/locales.ts';
import { queryClient } from '../query.ts';
import { onSocketEvent } from '../realtime/socket-events.ts';
import { live } from '../realtime/live.ts';
import { session } from '../session/session.ts';
import { settingsQuery } from '../settings.ts';
import { browserStorage } from '../browser-storage.ts';
import { showError } from '../toast.tsx';
import {
  listPrefix,
  mirror,
  onPersonalWrite,
  ownerOfMirror,
  pending,
  readPersonal,
  SETTING_NAMES,
  takeChosen,
  type PersonalKey,
} from './mirror.ts';

/** Chosen on the sign-in pages too, so a browser keeps them where the account has none. */
const OF_THE_BROWSER: PersonalKey[] = ['locale', 'theme'];
/** Where a value differs from person to person, and the page can remove it. */
const OF_THE_ACCOUNT: PersonalKey[] = ['timeZone', 'reports'];

let adoptedFor = -1;
/** Time of the last change of a key that this page knows of, as the server has it. */
const known = new Map<PersonalKey, string>();
/** When this page has last changed a key. */
const changedAt = new Map<PersonalKey, number>();
const running = new Set<PersonalKey>();

/** Takes the settings of the account over, once per sign-in, before the first page is drawn. */
export async function adoptPersonal({ session: { UserId }, personal }: Settings): Promise<void> {
  const { identity } = session.get();
  if (!personal || adoptedFor === identity) return;
  adoptedFor = identity;
  const former = ownerOfMirror.get();
  ownerOfMirror.set(UserId);
  for (const key of takeChosen()) pending.put(UserId, key, readPersonal(key) ?? null);
  if (former !== UserId) keepOldLists(UserId, personal);
  await take(UserId, personal, former !== null && former !== UserId);
  uploadAll();
}

/** Lists that were arranged in this browser before the settings were personal. */
function keepOldLists(owner: string, personal: SettingsUser): void {
  for (const key of listKeys(owner)) {
    const { columns, views } = (readPersonal(key) ?? {}) as Record<string, unknown>;
    if (!(key in personal)) pending.put(owner, key, { columns, views });
  }
}

/** The account is right, except where this browser has changed something that the account does not know yet. */
async function take(
  owner: string,
  personal: SettingsUser,
  isOther: boolean,
  since = 0,
): Promise<void> {
  const values = personal as Record<string, unknown>;
  const keys = new Set<PersonalKey>([
    ...SETTING_NAMES,
    ...listKeys(owner),
    ...Object.keys(personal).filter(isPersonalKey),
  ]);
  for (const key of keys) {
    if (since && (changedAt.get(key) ?? 0) >= since) continue;
    const waiting = pending.get(owner, key);
    const isGone = OF_THE_ACCOUNT.includes(key) || key.startsWith('list.');
    if (waiting) mirror(key, waiting.value);
    else if (key in values) mirror(key, values[key]);
    else if (isGone || (isOther && !OF_THE_BROWSER.includes(key))) mirror(key, null);
  }
  await showLocale();
}

/** Webhooks are among the settings of the API, and not kept in the browser. */
const isPersonalKey = (key: string): key is PersonalKey => !key.startsWith('webhooks.');

const listKeys = (owner: string) =>
  browserStorage
    .names(listPrefix(owner))
    .map((name): PersonalKey => `list.${name.slice(listPrefix(owner).length)}`);

async function showLocale(): Promise<void> {
  const locale = readPersonal('locale');
  if (isLocale(locale) && locale !== i18n.language) await i18n.changeLanguage(locale);
}

/** Null while acting as somebody else, or without a session: what is pending is uploaded after the return. */
function ownId(): string | null {
  const settings = queryClient.getQueryData(settingsQuery.queryKey);
  const owner = ownerOfMirror.get();
  const isOwn = !!settings?.personal && settings.session.UserId === owner;
  return isOwn && session.token() ? owner : null;
}

function uploadAll(): void {
  const owner = ownId();
  if (owner) for (const key of pending.keys(owner)) void upload(key);
}

/** One request for a key at a time; the last value is sent. */
async function upload(key: PersonalKey): Promise<void> {
  const owner = ownId();
  if (!owner || running.has(key)) return;
  running.add(key);
  try {
    for (let change = pending.get(owner, key); change; change = pending.get(owner, key)) {
      const body = { value: change.value as never };
      const params = { accountId: owner, key };
      const refused = await api(settingsUser.update, { params, body }).then(
        ({ updatedAt }) => void known.set(key, updatedAt),
        (error: unknown) => error,
      );
      changedAt.set(key, Date.now());
      // Without a network it stays pending until the next connection.
      if (refused && !isFinal(refused)) return;
      pending.done(owner, key, change.text);
      if (refused) {
        showError(refused);
        void refresh(0);
      }
    }
  } finally {
    running.delete(key);
  }
}

/** The value itself was refused. An ended session, a rate limit and a server that is away say nothing about it. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && [400, 403, 404, 409, 413, 422].includes(error.status);

/** After a gap: events may have been missed, and what is pending may be sent. */
async function refresh(since = Date.now()): Promise<void> {
  const owner = ownId();
  if (!owner) return;
  const personal = await api(settingsUser.get, { params: { accountId: owner } }).catch(() => null);
  if (personal && owner === ownId()) await take(owner, personal, false, since);
  uploadAll();
}

async function hear({ key, value, updatedAt }: SettingChange): Promise<void> {
  const owner = ownId();
  const name = key as PersonalKey;
  if (!owner || pending.get(owner, name) || (known.get(name) ?? '') > updatedAt) return;
  known.set(name, updatedAt);
  changedAt.set(name, Date.now());
  mirror(name, value);
  await showLocale();
}

onPersonalWrite((key) => {
  changedAt.set(key, Date.now());
  void upload(key);
});
onSocketEvent('settingsUser.updated', (change) => void hear(change as SettingChange));
onSocketEvent('resync', () => void refresh());
live.subscribe(() => {
  const { dataUpdatedAt = 0 } = queryClient.getQueryState(settingsQuery.queryKey) ?? {};
  // On the first connection the settings have just been fetched.
  if (live.get() === 'on' && Date.now() - dataUpdatedAt > 5000) void refresh();
});
addEventListener('online', () => void refresh());
// Another tab of this browser has changed the language; the rest is read from the storage.
addEventListener('storage', ({ key }) => {
  if (key === 'heliograph.locale') void showLocale();
});
