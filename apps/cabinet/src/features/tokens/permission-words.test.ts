import { TOKEN_PERMISSIONS } from '@heliograph/contract';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import tokens from '../../locales/en/tokens.json' with { type: 'json' };
import { actionText, nounText, permissionGroups } from './permission-words.ts';

test('permissions are grouped by noun, without those that the user does not have', () => {
  const groups = permissionGroups((name) =>
    ['contacts.get', 'contacts.create', 'users.get'].includes(name),
  );
  expect(groups).toEqual([
    { noun: 'users', names: ['users.get'] },
    { noun: 'contacts', names: ['contacts.get', 'contacts.create'] },
  ]);
});

test('every permission of a token has a readable name', async () => {
  const i18n = createInstance();
  const t = await i18n.init({ lng: 'en', resources: { en: { tokens } } });
  const groups = permissionGroups(() => true);
  const nameless = groups.filter(({ noun }) => nounText(t, noun) === noun).map(({ noun }) => noun);
  expect(nameless).toEqual([]);
  const raw = TOKEN_PERMISSIONS.filter((name) => name.endsWith(`.${actionText(t, name)}`));
  expect(raw).toEqual([]);
});
