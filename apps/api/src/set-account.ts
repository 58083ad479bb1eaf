import { MAX_LOOKUP_DAYS } from '@heliograph/contract';
import { isCurrency, SENDING_TYPES, type SendingType } from '@heliograph/domain';
import { Audit } from './core/audit/audit.ts';
import { violated, type Db } from './core/db/db.ts';
import { AppError } from './core/errors.ts';
import { hasEntries, setOverdraft } from './features/billings/commands.store.ts';
import { accountSettingsOf, storeSettings } from './features/users/commands.store.ts';

/** How a setting is read, and where it is stored: a path of `users.settings`, or the overdraft of the balance. */
interface Setting {
  path: [string, string] | 'overdraft';
  read: (text: string) => unknown;
  expected: string;
}

const amount = (text: string) => (/^\d{1,12}(\.\d{1,4})?$/.test(text) ? Number(text) : undefined);
const flag = (text: string) => ({ true: true, false: false })[text];
const days = (text: string) =>
  /^\d{1,2}$/.test(text) && Number(text) <= MAX_LOOKUP_DAYS ? Number(text) : undefined;
const types = (text: string) => {
  const names = text === 'all' ? SENDING_TYPES : text === 'none' ? [] : text.split(',');
  return names.every((name) => SENDING_TYPES.includes(name as SendingType)) ? names : undefined;
};
const currency = (text: string) => (isCurrency(text) ? text : undefined);

const AMOUNT = 'an amount of at most four decimals';
const TYPES = 'types separated by commas, `all` or `none`';
const SETTINGS: Record<string, Setting> = {
  overdraft: { path: 'overdraft', read: amount, expected: AMOUNT },
  creditLine: { path: ['billings', 'creditLine'], read: amount, expected: AMOUNT },
  currency: { path: ['billings', 'currency'], read: currency, expected: 'a code of ISO 4217' },
  lookupDays: {
    path: ['sendings', 'lookupDays'],
    read: days,
    expected: `whole days, at most ${MAX_LOOKUP_DAYS}`,
  },
  lookupFirst: { path: ['sendings', 'lookupFirst'], read: flag, expected: '`true` or `false`' },
  processChildrenOperations: {
    path: ['billings', 'processChildrenOperations'],
    read: flag,
    expected: '`true` or `false`',
  },
  types: { path: ['sendings', 'types'], read: types, expected: TYPES },
  sendernamesCheck: { path: ['sendings', 'sendernamesCheck'], read: types, expected: TYPES },
};

/**
 * Sets account settings, `creditLine=5000`, and keeps all others; an empty value returns a setting to the default of the
 * installation. Throws `validation`, and `conflict` for an overdraft that the balance has already used or a currency that the
 * account has entries in.
 */
export async function setAccount(db: Db, username: string, changes: string[]): Promise<void> {
  const parsed = changes.map(parseChange);
  if (!username || parsed.length === 0)
    throw new AppError(
      'validation',
      `Usage: set-account NAME SETTING=VALUE ...; settings: ${Object.keys(SETTINGS).join(', ')}`,
    );
  await db.transaction(async () => {
    const account = await accountSettingsOf(db, username);
    if (!account) throw new AppError('not_found', `There is no account ${username}`);
    const settings = structuredClone(account.settings);
    let { overdraft } = account;
    for (const { path, value } of parsed) {
      if (path === 'overdraft') overdraft = String(value ?? 0);
      else {
        const area = (settings[path[0]] ??= {});
        if (value === undefined) delete area[path[1]];
        else area[path[1]] = value;
      }
    }
    const isOther = settings.billings?.currency !== account.settings.billings?.currency;
    if (isOther && (await hasEntries(db, account.id)))
      throw new AppError('conflict', 'The account has entries in its present currency.');
    await storeSettings(db, account.id, settings);
    await setOverdraft(db, account.id, overdraft).catch((error: unknown) => {
      if (violated(error) !== 'balance_covers') throw error;
      throw new AppError('conflict', 'The balance is further below zero than this overdraft.');
    });
    await new Audit(db).record({
      action: 'users.update',
      OwnerId: account.id,
      target: ['users', account.id],
      before: { settings: account.settings, overdraft: Number(account.overdraft) },
      after: { settings, overdraft: Number(overdraft) },
    });
  });
}

function parseChange(change: string): { path: Setting['path']; value: unknown } {
  const [name = '', ...parts] = change.split('=');
  const text = parts.join('=');
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (!setting || parts.length === 0)
    throw new AppError(
      'validation',
      `Unknown setting ${name}: ${Object.keys(SETTINGS).join(', ')}`,
    );
  const { path, read, expected } = setting;
  if (text === '') return { path, value: undefined };
  const value = read(text);
  if (value === undefined) throw new AppError('validation', `${name} must be ${expected}`);
  return { path, value };
}
