import type { Page } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import type { ListRequest } from '../list-request.ts';
import { dropItems, mergeItems } from './merge.ts';
import { belongs } from './row-placement.ts';

interface Message {
  id: string;
  type: string;
  state: { status: string };
  createdAt: string;
  updatedAt: string;
  Owner?: string;
}

const NOW = Date.UTC(2026, 10, 21, 12);
const time = (minute: number) => new Date(NOW - 3_600_000 + minute * 60_000).toISOString();
const row = (n: number, status = 'pending', patch: Partial<Message> = {}): Message => ({
  id: `id-${n}`,
  type: 'sms',
  state: { status },
  createdAt: time(n),
  updatedAt: time(n),
  ...patch,
});
const request = (patch: Partial<ListRequest> = {}): ListRequest => ({
  offset: 0,
  limit: 3,
  order: [{ field: 'createdAt', direction: 'desc' }],
  scope: [],
  filter: {},
  ...patch,
});
const page = (...rows: Message[]): Page<Message> => ({
  data: rows,
  total: rows.length,
  limit: 3,
  offset: 0,
});
const ids = (merged: { page: Page<Message> }) => merged.page.data.map((r) => r.id);

describe('created rows', () => {
  it('come first on the first page, which keeps its length', () => {
    const merged = mergeItems(page(row(3), row(2), row(1)), request(), 'created', [row(4)], NOW);
    expect(ids(merged)).toEqual(['id-4', 'id-3', 'id-2']);
    expect(merged.page.total).toBe(4);
    expect(merged.stale).toBe(false);
  });

  it('do not add to a count that is capped', () => {
    const capped = { ...page(row(1)), total: 10_000, totalIsCapped: true };
    const merged = mergeItems(capped, request(), 'created', [row(2)], NOW);
    expect([merged.page.total, ids(merged)[0]]).toEqual([10_000, 'id-2']);
  });

  it('take their place by time when they come late', () => {
    const merged = mergeItems(page(row(5), row(1)), request(), 'created', [row(3)], NOW);
    expect(ids(merged)).toEqual(['id-5', 'id-3', 'id-1']);
  });

  it('that are there already are not doubled', () => {
    const merged = mergeItems(page(row(1)), request(), 'created', [row(1)], NOW);
    expect(merged.page.total).toBe(1);
  });

  it.each([
    ['on a later page', request({ offset: 3 })],
    ['in another order', request({ order: [{ field: 'title', direction: 'asc' }] })],
    ['under a search', request({ search: 'tea' })],
    ['under a filter that the row does not name', request({ filter: { color: 'red' } })],
  ])('are left to the server %s', (_, question) => {
    const old = page(row(1));
    const merged = mergeItems(old, question, 'created', [row(2)], NOW);
    expect(merged.page).toBe(old);
    expect(merged.stale).toBe(true);
  });

  it('outside the filter or the period change nothing', () => {
    const old = page(row(1));
    for (const question of [
      request({ filter: { status: ['failed'] } }),
      request({ filter: { type: ['viber'] } }),
      request({ periods: [{ field: 'createdAt', value: '5m' }] }),
      request({ periods: [{ field: 'updatedAt', value: '5m' }] }),
    ]) {
      expect(mergeItems(old, question, 'created', [row(2)], NOW)).toEqual({
        page: old,
        stale: false,
        undecided: false,
      });
    }
  });
});

describe('updated rows', () => {
  it('are merged in place and keep what the event leaves out', () => {
    const old = page(row(2), row(1, 'sent', { Owner: 'anna' }));
    const merged = mergeItems(
      old,
      request(),
      'updated',
      [row(1, 'delivered', { updatedAt: time(9) })],
      NOW,
    );
    expect(merged.page.data[1]).toMatchObject({ state: { status: 'delivered' }, Owner: 'anna' });
    expect(ids(merged)).toEqual(['id-2', 'id-1']);
    expect(merged.stale).toBe(false);
  });

  it('that are older than what is shown are passed over', () => {
    const old = page(row(1, 'delivered', { updatedAt: time(9) }));
    expect(
      mergeItems(old, request(), 'updated', [row(1, 'sent', { updatedAt: time(5) })], NOW).page,
    ).toBe(old);
  });

  it('that leave the filter stay until the next fetch', () => {
    const question = request({ filter: { status: ['pending'] } });
    const merged = mergeItems(
      page(row(1)),
      question,
      'updated',
      [row(1, 'sent', { updatedAt: time(9) })],
      NOW,
    );
    expect(ids(merged)).toEqual(['id-1']);
    expect(merged.stale).toBe(true);
  });

  it('that come under the filter are asked for', () => {
    const question = request({ filter: { status: ['failed'] } });
    expect(mergeItems(page(), question, 'updated', [row(1, 'failed')], NOW).stale).toBe(true);
  });

  it('of another page are no news', () => {
    const old = page(row(1));
    expect(mergeItems(old, request(), 'updated', [row(7)], NOW)).toEqual({
      page: old,
      stale: false,
      undecided: false,
    });
  });
});

it('removed rows leave, and the page is asked for again', () => {
  const merged = dropItems(page(row(2), row(1)), ['id-1', 'elsewhere']);
  expect(ids(merged)).toEqual(['id-2']);
  expect(merged.page.total).toBe(1);
  expect(merged.stale).toBe(true);
});

it('compares filters with fields of the row or of its state', () => {
  expect(
    belongs(row(1, 'sent'), request({ filter: { status: ['sent'], type: ['sms'] } }), NOW),
  ).toBe(true);
  expect(belongs({ id: '1', isActive: true }, request({ filter: { isActive: 'true' } }), NOW)).toBe(
    true,
  );
});

it('leaves to the server whether a recipient has the part that was typed', () => {
  const message = { ...row(4), recipient: '+79990000001' };
  const typed = (recipient: string) => request({ filter: { recipient } });
  expect(belongs(message, typed('+79990000001'), NOW)).toBe(true);
  expect(belongs(message, typed('8 (999) 000'), NOW)).toBe('unknown');
  expect(mergeItems(page(), typed('0001'), 'created', [message], NOW).stale).toBe(true);
});
