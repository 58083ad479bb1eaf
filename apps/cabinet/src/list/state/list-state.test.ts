import { COUNT_CAP, sendings, Status } from '@heliograph/contract';
import { describe, expect, it } from 'vitest';
import { toListQuery } from '../../core/list-request.ts';
import { listSpec, manyOf, span, text } from './list-spec.ts';
import {
  toListRequest,
  change,
  isFiltered,
  readState,
  writeState,
  type ListState,
} from './list-state.ts';

const spec = listSpec(sendings.find, {
  filters: { status: manyOf(Status.options), recipient: text, groupId: text, updatedAt: span },
  order: ['createdAt'],
  period: 'createdAt',
  scope: ['payload'],
});
const tasksLike = { ...spec, order: ['createdAt', 'title'], search: true };
const read = (query: string, of = spec) => readState(new URLSearchParams(query), of);
const GROUP = '0190a2f0-0000-7000-8000-000000000001';

describe('list state and URL', () => {
  it('leaves the defaults out', () => {
    expect(writeState(read(''), spec, new URLSearchParams()).toString()).toBe('');
  });

  it.each([
    'f.status=failed%2Cpaused&page=3&size=32',
    'f.recipient=%2B7916&period=today',
    'period=2026-11-01..2026-11-07',
    'id=42&f.groupId=' + GROUP,
  ])('comes back the same: %s', (query) => {
    const params = new URLSearchParams(query);
    const again = writeState(readState(params, spec), spec, params);
    again.sort();
    params.sort();
    expect(again.toString()).toBe(params.toString());
  });

  it('ends where the server does, for every size', () => {
    for (const size of [16, 32, 64]) {
      const { page } = read(`page=99999&size=${size}`);
      expect((page - 1) * size).toBeLessThanOrEqual(COUNT_CAP);
      expect(page * size).toBeGreaterThanOrEqual(COUNT_CAP);
    }
  });

  it('keeps order and search', () => {
    const state = read('order=title&q=sale', tasksLike);
    expect(state).toMatchObject({ order: { field: 'title', direction: 'asc' }, search: 'sale' });
    expect(writeState(state, tasksLike, new URLSearchParams()).toString()).toBe(
      'q=sale&order=title',
    );
  });

  it('drops what does not fit', () => {
    const wrong = 'f.status=lost&page=-2&size=17&order=-price&period=soon&q=x';
    expect(writeState(read(wrong), spec, new URLSearchParams(wrong)).toString()).toBe('');
  });

  it('reads the links of other pages and rewrites them', () => {
    const legacy = new URLSearchParams({
      groupId: GROUP,
      status: 'failed',
      'createdAt[$gt]': '2026-11-01',
    });
    const written = writeState(readState(legacy, spec), spec, legacy);
    expect(Object.fromEntries(written)).toEqual({
      'f.groupId': GROUP,
      'f.status': 'failed',
      period: '2026-11-01..',
    });
  });

  it('does not filter by the row whose details are open', () => {
    const byId = { ...spec, filters: { ...spec.filters, id: text } };
    expect(read('id=42', byId).filters).toEqual({});
    const id = '01930000-0000-7000-8000-000000000043';
    expect(read(`id=42&f.id=${id}`, byId).filters).toEqual({ id: [id] });
    // The server would refuse the list.
    expect(read('f.id=43', byId).filters).toEqual({});
  });

  it('reads a second period, in either spelling, and drops what is none', () => {
    const [from, to] = ['2026-11-01T10:00:00.000Z', '2026-11-02T10:00:00.000Z'];
    const legacy = new URLSearchParams({ 'updatedAt[$gt]': from, 'updatedAt[$lt]': to });
    const written = writeState(readState(legacy, spec), spec, legacy);
    expect(Object.fromEntries(written)).toEqual({ 'f.updatedAt': `${from}..${to}` });
    expect(writeState(readState(written, spec), spec, written).toString()).toBe(written.toString());
    expect(read('f.updatedAt=soon').filters).toEqual({});
    expect(toListQuery(toListRequest(readState(written, spec), spec), 0)).toMatchObject({
      filter: {},
      range: { updatedAt: { $gt: from, $lt: to } },
    });
  });

  it('begins at the first page after any change but of the page', () => {
    const state = read('page=5');
    expect(change(state, { filters: { status: ['failed'] } }).page).toBe(1);
    expect(change(state, { page: 6 }).page).toBe(6);
  });

  it('knows when it is filtered', () => {
    expect([read('page=2'), read('f.status=sent'), read('period=1h')].map(isFiltered)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('what the server is asked', () => {
  const state: ListState = { ...read('f.status=failed,paused&f.recipient=7916&page=3&period=1h') };

  it('is the contract’s query, with the period resolved', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    expect(toListQuery(toListRequest(state, spec, { OwnerId: GROUP }), now)).toEqual({
      offset: 32,
      limit: 16,
      order: [{ field: 'createdAt', direction: 'desc' }],
      search: undefined,
      scope: ['payload'],
      filter: { status: ['failed', 'paused'], recipient: '7916', OwnerId: GROUP },
      range: { createdAt: { $gt: '2026-11-21T11:00:00.000Z' } },
    });
  });

  it('passes the server’s own check', () => {
    const { range, filter } = toListQuery(toListRequest(state, spec), Date.now());
    const wire = { $offset: 32, $limit: 16, $scope: ['payload'], ...filter, ...range };
    expect(sendings.find.query!.safeParse(wire).success).toBe(true);
  });
});
