import { expect, test } from 'vitest';
import { csvOf } from './suppression-values.ts';

test('an exported cell starts no formula and keeps its quotes', () => {
  const row = {
    id: '1',
    address: '+79161110001',
    type: null,
    reason: 'stop' as const,
    note: '=HYPERLINK("x")',
    SendingId: null,
    OwnerId: '2',
    createdAt: '2026-11-22T09:15:00.000Z',
  };
  const csv = csvOf([row], { header: ['a'], typeOf: () => 'all', reasonOf: () => 'STOP' });
  const [head, line] = csv.split('\r\n');
  expect(head).toBe('\uFEFF"a"');
  expect(line).toContain(';"all";"STOP";');
  expect(line).not.toContain('"=HYPERLINK');
  expect(line).toContain('HYPERLINK(""x"")');
});
