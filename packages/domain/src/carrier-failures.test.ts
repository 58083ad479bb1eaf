import { expect, test } from 'vitest';
import { carrierFailure } from './carrier-failures.ts';

test.each([
  [{}, null, null, null],
  [{ code: 'busy' }, 'busy', null, null],
  // Codes of the platform are the carrier's own, of its account or queue.
  [{ code: 'stopped' }, 'rejected', 'stopped', null],
  [{ code: 'E_17', text: 'route closed' }, null, 'E_17', 'route closed'],
  [{ code: 11 }, null, '11', null],
  [{ code: 0 }, null, '0', null],
  [{ code: 'constructor' }, null, 'constructor', null],
  [{ code: 'rejected', carrierCode: 0x45, text: '' }, 'rejected', '69', null],
  [
    { code: ' busy ', text: '\u0000line\r\n\tbusy\u001b[31m\u202e\u2028' },
    'busy',
    null,
    'line busy [31m',
  ],
  [{ code: '   ', text: '\u200b' }, null, null, null],
  [{ code: 'x'.repeat(90), text: `${'y'.repeat(499)}😀` }, null, 'x'.repeat(60), 'y'.repeat(499)],
  [{ text: 'half \ud83d' }, null, null, 'half \ufffd'],
])('%j is %s, in the words of the carrier %s and %s', (said, code, carrierCode, carrierText) => {
  expect(carrierFailure(said)).toEqual({ code, carrierCode, carrierText });
});
