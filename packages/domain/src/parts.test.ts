import { describe, expect, it } from 'vitest';
import { mergePart, mergeParts } from './parts.ts';
import type { StatusReport } from './reports.ts';
import type { Status } from './types.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds));
/** `delivered@3`, `failed:absent@4`; `-` is a part without a report. */
function partOf(written: string): StatusReport | null {
  if (written === '-') return null;
  const [, status, code = null, seconds] = /^(\w+)(?::(\w+))?@(\d+)$/.exec(written)!;
  return { status: status as Status, code, at: at(Number(seconds)) };
}
const partsOf = (written: string) => written.split(' ').map(partOf);

describe('a message of parts', () => {
  it.each([
    ['-', '-'],
    ['- -', '-'],
    ['delivered@3', 'delivered@3'],
    ['failed:absent@3', 'failed:absent@3'],
    // Delivered when all are.
    ['delivered@3 delivered@9 delivered@5', 'delivered@9'],
    ['seen@3 delivered@2', 'delivered@3'],
    ['seen@3 seen@8', 'seen@8'],
    // Failed when none is open.
    ['failed:absent@3 failed:absent@7', 'failed:absent@7'],
    ['failed:no_route@8 failed:absent@3', 'failed:absent@8'],
    ['failed:absent@3 delivered@9', 'failed:partial@3'],
    ['seen@2 failed@3 delivered@9', 'failed:partial@3'],
    ['failed@3 failed@4', 'failed@4'],
    // Open until then.
    ['failed:absent@3 -', 'sent@3'],
    ['failed:absent@3 sent@2', 'sent@2'],
    ['delivered@3 -', 'sent@3'],
    ['delivered@3 processing@1', 'sent@3'],
    ['sent@4 sent@2 -', 'sent@2'],
    ['processing@4 processing@2', 'processing@2'],
    ['processing@4 -', 'processing@4'],
  ])('%s is %s', (parts, expected) => {
    expect(mergeParts(partsOf(parts))).toEqual(partOf(expected));
    expect(mergeParts(partsOf(parts).toReversed())).toEqual(partOf(expected));
  });
});

describe('the reports of a part', () => {
  it.each([
    ['sent@1', 'sent@1'],
    ['delivered@5 sent@1', 'delivered@5'],
    ['delivered@5 delivered@3', 'delivered@3'],
    ['failed:absent@3 delivered@9', 'delivered@9'],
    ['failed:absent@9 failed:no_route@3', 'failed:no_route@3'],
  ])('%s are %s', (reports, expected) => {
    const all = partsOf(reports) as StatusReport[];
    expect(mergePart(all)).toEqual(partOf(expected));
    expect(mergePart(all.toReversed())).toEqual(partOf(expected));
  });

  it('may be none', () => {
    expect(mergePart([])).toBeNull();
  });
});
