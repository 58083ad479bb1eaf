import { PERMISSIONS, type Permission, type Settings } from '@heliograph/contract';
import { expect, it } from 'vitest';
import { accessOf, isOffered, lackedFor, mayOpenWith, PAGE_PATHS, type Access } from './access.ts';

type Known = Pick<Settings, 'permissions' | 'advanced' | 'frontend'>;

const settings = (isRestricted: boolean, brand: 'main' | 'alternate', without?: Permission) =>
  ({
    permissions: Object.fromEntries(
      Object.keys(PERMISSIONS)
        .filter((name) => name !== without)
        .map((name) => [name, 'manager']),
    ),
    advanced: { isRestricted },
    frontend: { brand },
  }) as Known;

it.each<[Access, boolean[]]>([
  [{}, [true, true, true, true]],
  [{ isForLegalPayers: true }, [true, true, false, false]],
  [{ isForMainBrand: true }, [true, false, true, false]],
  [{ isForLegalPayers: true, isForMainBrand: true }, [true, false, false, false]],
])('%j is offered where both the brand and the payers fit', (access, expected) => {
  const all = [
    settings(false, 'main'),
    settings(false, 'alternate'),
    settings(true, 'main'),
    settings(true, 'alternate'),
  ];
  expect(all.map((one) => isOffered(access, one))).toEqual(expected);
});

it('a page needs all of its permissions', () => {
  const contacts = accessOf('/contacts');
  expect(contacts.can).toEqual(['contacts.get', 'contactLists.get']);
  for (const need of contacts.can!) {
    expect(lackedFor(contacts, settings(false, 'main', need).permissions)).toBe(need);
    expect(mayOpenWith(settings(false, 'main', need))('/contacts')).toBe(false);
  }
});

it('who has everything may open every page of the main brand', () => {
  expect(PAGE_PATHS.filter((path) => !mayOpenWith(settings(false, 'main'))(path))).toEqual([]);
});
