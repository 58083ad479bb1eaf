import { PERMISSIONS, type Permission, type Settings } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { accessOf, isOffered, lackedFor, mayOpenWith, PAGE_PATHS, type Access } from './access.ts';

type Known = Pick<Settings, 'permissions' | 'advanced' | 'features'>;

const settings = (isRestricted: boolean, integrations: boolean, without?: Permission) =>
  ({
    permissions: Object.fromEntries(
      Object.keys(PERMISSIONS)
        .filter((name) => name !== without)
        .map((name) => [name, 'manager']),
    ),
    advanced: { isRestricted },
    features: { integrations, blog: null },
  }) as Known;

it.each<[Access, boolean[]]>([
  [{}, [true, true, true, true]],
  [{ isForLegalPayers: true }, [true, true, false, false]],
  [{ isIntegration: true }, [true, false, true, false]],
  [{ isForLegalPayers: true, isIntegration: true }, [true, false, false, false]],
])('%j is offered where both the payers and the features fit', (access, expected) => {
  const all = [
    settings(false, true),
    settings(false, false),
    settings(true, true),
    settings(true, false),
  ];
  expect(all.map((one) => isOffered(access, one))).toEqual(expected);
});

it('a page needs all of its permissions', () => {
  const contacts = accessOf('/contacts');
  expect(contacts.can).toEqual(['contacts.get', 'contactLists.get']);
  for (const need of contacts.can!) {
    expect(lackedFor(contacts, settings(false, true, need).permissions)).toBe(need);
    expect(mayOpenWith(settings(false, true, need))('/contacts')).toBe(false);
  }
});

it('who has everything may open every page where all is offered', () => {
  expect(PAGE_PATHS.filter((path) => !mayOpenWith(settings(false, true))(path))).toEqual([]);
});
