import type { AuditRecord } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { actionText, actorText, changedText, changesOf } from './audit-words.ts';

const TEXTS: Record<string, string> = {
  'audit:action.users.update': 'User changed',
  'audit:noun.templates': 'Template',
  'audit:verb.remove': 'removed',
  'audit:verb.other': 'changed',
  'audit:fieldName.title': 'Name',
  'audit:fieldName.isActive': 'Active',
  'audit:yes': 'yes',
  'audit:no': 'no',
  'audit:nobody': 'Nobody signed in',
};
const t = ((key: string, values: Record<string, string> = {}) =>
  key === 'common:labelled'
    ? `${values.label}: ${values.value}`
    : (TEXTS[key] ?? values.defaultValue ?? [key, ...Object.values(values)].join(' '))) as never;

const person = (username: string) => ({ id: username, username });

describe('a record of the audit log', () => {
  it.each([
    ['users.update', 'User changed'],
    ['templates.remove', 'audit:change Template removed'],
    ['templates.polish', 'audit:change Template changed'],
    ['novelties.remove', 'audit:change novelties removed'],
  ])('names %s', (action, text) => {
    expect(actionText(t, action)).toBe(text);
  });

  it('names who did it, and in whose name', () => {
    const record = (Actor: object | null, User: object | null = null) =>
      ({ Actor, User }) as AuditRecord;
    expect(actorText(t, record(null))).toBe('Nobody signed in');
    expect(actorText(t, record(person('olga')))).toBe('olga');
    expect(actorText(t, record(person('olga'), person('anna')))).toBe('audit:as olga anna');
    const Token = { id: '1', prefix: 'hg_abc', description: 'Shop' };
    expect(actorText(t, { Actor: person('olga'), Token } as AuditRecord)).toBe(
      'audit:byToken olga Shop',
    );
    const removed = { ...Token, description: null };
    expect(actorText(t, { Actor: person('olga'), Token: removed } as AuditRecord)).toBe(
      'audit:byToken olga hg_abc',
    );
  });

  it('tells what differs', () => {
    const record = { before: { a: 1, b: 'x' }, after: { b: null, c: [true] } };
    expect(changesOf(record)).toEqual([
      { name: 'a', before: '1', after: '' },
      { name: 'b', before: 'x', after: '' },
      { name: 'c', before: '', after: '[true]' },
    ]);
    const line = { before: { title: 'A' }, after: { title: 'B', n: 2 } } as never;
    // Names of the API are not for people; the record has them.
    expect(changedText(t, line)).toBe('Name: A → B');
    const turned = { before: { isActive: false }, after: { isActive: true } } as never;
    expect(changedText(t, turned)).toBe('Active: no → yes');
    const nested = { after: { 'data.title': 'B' } } as never;
    expect(changedText(t, nested)).toBe('Name: B');
  });
});
