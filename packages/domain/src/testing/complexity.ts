/** Generators of adversarial texts of any length, which take superlinear time in careless expressions and loops. */
export const ADVERSARIAL_TEXTS: Record<string, (length: number) => string> = {
  dots: rowOf('.'),
  'an e-mail with dots': (n) => `a@${'.'.repeat(n)}`,
  'an e-mail with dots and an end': (n) => `a@${'.'.repeat(n)}@`,
  'an e-mail with labels': (n) => `a@${'b.'.repeat(n / 2)}@`,
  'at signs': rowOf('@'),
  spaces: rowOf(' '),
  'spaces between letters': (n) => `a${' '.repeat(n)}a`,
  'tabs and lines': rowOf('\t\n'),
  digits: rowOf('7'),
  zeros: (n) => `0.${'0'.repeat(n)}1`,
  'a plus and digits': (n) => `+${'79'.repeat(n / 2)}`,
  pluses: rowOf('+'),
  'digits and separators': rowOf('7-'),
  quotes: rowOf('"'),
  'apostrophes and quotes': rowOf(`'"`),
  'brackets that open': rowOf('['),
  'brackets of all kinds': rowOf('([{<'),
  'pairs of brackets': rowOf('[]()'),
  braces: rowOf('{'),
  'pairs of braces': rowOf('{{}'),
  variables: rowOf('{firstName}'),
  'a variable without an end': (n) => `{firstName|${'a'.repeat(n)}`,
  'beginnings of character classes': rowOf('%l+{'),
  'character classes without an end': (n) => `%d{${'1'.repeat(n)}`,
  'ends of sentences': rowOf('!'),
  'ends of sentences in brackets': rowOf('!)"'),
  'sentences without spaces': rowOf('a.'),
  words: rowOf('ab '),
  letters: rowOf('a'),
  'letters with an end': (n) => `${'a'.repeat(n)}\u0000`,
  cyrillic: rowOf('я'),
  extensions: rowOf('€'),
  'a Cyrillic letter at the end': (n) => `${'a'.repeat(n)}я`,
  emoji: rowOf('🎉'),
  'emoji of several': rowOf('👩‍👩‍👧'),
  'combining marks': (n) => `a${'\u0315\u0300'.repeat(n / 2)}`,
  'halves of pairs': rowOf('\ud83c'),
  hyphens: rowOf('-'),
  slashes: rowOf('/'),
  'an address': (n) => `https://${'a'.repeat(n)}`,
  'an address of labels': (n) => `http://${'a.'.repeat(n / 2)}`,
  backslashes: rowOf('\\'),
  commas: rowOf(','),
  colons: rowOf('a:'),
  'widening letters': rowOf('İ'),
};

function rowOf(part: string): (length: number) => string {
  return (length) => part.repeat(Math.ceil(length / part.length));
}

/**
 * Work on `size` characters that takes less than `quickMs` is not quadratic. The smaller size is first, to detect quadratic work
 * before it takes half a minute.
 */
const SIZES = [
  { size: 12_000, quickMs: 30 },
  { size: 100_000, quickMs: 300 },
];
/** Factor between the compared lengths. Linear work takes 16 times as long, quadratic work 256 times. */
const SIZE_FACTOR = 16;
const MAX_TIME_FACTOR = 64;
/** The long work is measured again while it seems slow: it may have been compiled, or memory freed, meanwhile. */
const MAX_MEASUREMENTS = 4;
/** The short work is repeated for so long, since systems may count CPU time in ticks of some milliseconds, but not for ever. */
const MEASURED_MS = 40;
const MAX_REPETITIONS = 1000;

declare const process: { threadCpuUsage(): { user: number; system: number } };

/** CPU time of this thread in milliseconds: coarse, but independent of other processes. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function timed(work: () => unknown): number {
  const started = cpuTime();
  try {
    work();
  } catch {
    // Errors for invalid input are expected.
  }
  return cpuTime() - started;
}

function timedShort(work: () => unknown): number {
  let [spent, repetitions] = [0, 0];
  while (spent < MEASURED_MS && repetitions < MAX_REPETITIONS) {
    spent += timed(work);
    repetitions++;
  }
  return spent / repetitions;
}

/** Describes superlinear growth from a short to a long text; null as soon as one measurement is linear. */
function superlinearGrowth(
  short: () => unknown,
  long: () => unknown,
  quickMs: number,
): string | null {
  let best = timed(long);
  if (best < quickMs) return null;
  const before = timedShort(short);
  for (let i = 0; i < MAX_MEASUREMENTS && best > before * MAX_TIME_FACTOR; i++)
    best = Math.min(best, timed(long));
  if (best < quickMs || best < before * MAX_TIME_FACTOR) return null;
  return `${best.toFixed(1)} ms after ${before.toFixed(2)} ms`;
}

/** The texts for which `work` takes superlinear time, with the measured times. */
export function findSuperlinear(
  work: (text: string) => unknown,
  texts = ADVERSARIAL_TEXTS,
): string[] {
  return Object.entries(texts).flatMap(([name, textOf]) => {
    for (const { size, quickMs } of SIZES) {
      const [long, short] = [textOf(size), textOf(size / SIZE_FACTOR)];
      const growth = superlinearGrowth(
        () => work(short),
        () => work(long),
        quickMs,
      );
      if (growth) return [`${name}: ${growth}`];
    }
    return [];
  });
}
