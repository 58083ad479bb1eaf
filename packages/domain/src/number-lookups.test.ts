import { expect, test } from 'vitest';
import { numberLookup, type SaidLookup } from './number-lookups.ts';

test.each<[SaidLookup, ReturnType<typeof numberLookup>]>([
  [{ network: '25001' }, { network: '25001' }],
  [
    { network: 25001, origin: '250 2' },
    { network: '25001', origin: '25002' },
  ],
  [
    { network: '250-01', origin: '310/260' },
    { network: '25001', origin: '310260' },
  ],
  [{ network: '2501' }, { network: '25001' }],
  [{ network: '00000' }, undefined],
  [{ network: '25' }, undefined],
  [{ network: '2500123' }, undefined],
  [{ network: ['25001'], origin: { mcc: 250 } }, undefined],
  [{ network: '25001'.repeat(100_000) }, undefined],
  [
    { ported: true, roaming: false },
    { ported: true, roaming: false },
  ],
  [
    { ported: '1', roaming: 'No' },
    { ported: true, roaming: false },
  ],
  [
    { ported: 0, roaming: 'TRUE' },
    { ported: false, roaming: true },
  ],
  [{ ported: 'unknown', roaming: null }, undefined],
  [{}, undefined],
])('%j is %j', (said, read) => {
  expect(numberLookup(said)).toEqual(read);
});
