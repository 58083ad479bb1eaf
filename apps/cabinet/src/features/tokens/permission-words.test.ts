import { PERMISSIONS, type Permission } from '@heliograph/contract';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import tokens from '../../locales/en/tokens.json' with { type: 'json' };
import { actionText, nounOf, nounText, permissionGroups } from './permission-words.ts';

test('permissions are grouped by noun, without those that the user does not have', () => {
  const groups = permissionGroups((name) =>
    ['contacts.get', 'contacts.create', 'users.get'].includes(name),
  );
  expect(groups).toEqual([
    { noun: 'users', names: ['users.get'] },
    { noun: 'contacts', names: ['contacts.get', 'contacts.create'] },
  ]);
});

test('every permission has a readable name', async () => {
  const i18n = createInstance();
  const t = await i18n.init({ lng: 'en', resources: { en: { tokens } } });
  const names = Object.keys(PERMISSIONS) as Permission[];
  expect(names.filter((name) => nounText(t, nounOf(name)) === nounOf(name))).toEqual([]);
  expect(names.filter((name) => name.endsWith(`.${actionText(t, name)}`))).toEqual([]);
});
