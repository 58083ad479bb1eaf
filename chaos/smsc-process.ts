import { Smsc, type SmscEvent, type SmscOptions } from '@heliograph/simulators';
import { existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

/** An SMSC that outlives its process: what happens is in its journal before it answers, and it goes on by that. */
const { PORT, JOURNAL, OPTIONS } = process.env as Record<'PORT' | 'JOURNAL' | 'OPTIONS', string>;
const known = existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8') : '';
// A kill may have cut off the last line.
const whole = known.slice(0, known.lastIndexOf('\n') + 1);
if (whole.length < known.length) truncateSync(JOURNAL, Buffer.byteLength(whole));
const journal = openSync(JOURNAL, 'a');
const smsc = new Smsc({
  ...(JSON.parse(OPTIONS) as SmscOptions),
  journal: (event) => writeSync(journal, `${JSON.stringify(event)}\n`),
});
smsc.restore(
  whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as SmscEvent),
);
console.log(`SMSC on port ${await smsc.listen(Number(PORT), '127.0.0.1')}`);
