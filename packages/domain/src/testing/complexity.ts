/** Texts that expressions and loops have stumbled over, each any number of characters long. */
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
 * Quadratic work over so many characters takes longer than so many milliseconds; what takes less is not looked at further.
 * The first size is there to find it before it takes half a minute.
 */
const SIZES = [
  { size: 12_000, quickMs: 30 },
  { size: 100_000, quickMs: 300 },
];
/** Sixteen times the characters take sixteen times the time, quadratic work 256 times; in between lies the noise of a busy machine. */
const TIMES = 16;
const MAX_GROWTH = 64;
/** The machine may be busy with other work each time that it is looked at, but hardly so often in a row. */
const TRIES = 4;

declare const process: { threadCpuUsage(): { user: number; system: number } };

/** What this thread has had of the processors, in milliseconds: coarse, but other processes do not count. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function timed(work: () => unknown, clock: () => number): number {
  const started = clock();
  try {
    work();
  } catch {
    // A refusal is an answer.
  }
  return clock() - started;
}

/** What is wrong with how the time grows from a sixteenth of a text to the whole; null once a try shows that nothing is. */
function wrongGrowth(short: () => unknown, long: () => unknown, quickMs: number): string | null {
  let best = timed(long, cpuTime);
  if (best < quickMs) return null;
  const some = Array.from({ length: TRIES }, () => timed(short, () => performance.now()));
  const before = Math.min(...some);
  for (let i = 0; i < TRIES && best > before * MAX_GROWTH; i++)
    best = Math.min(best, timed(long, cpuTime));
  if (best < quickMs || best < before * MAX_GROWTH) return null;
  return `${best.toFixed(1)} ms after ${before.toFixed(2)} ms`;
}

/** The texts on which work takes more than a linear time, each with its milliseconds and those of a sixteenth of it. */
export function findSuperlinear(
  work: (text: string) => unknown,
  texts = ADVERSARIAL_TEXTS,
): string[] {
  return Object.entries(texts).flatMap(([name, textOf]) => {
    for (const { size, quickMs } of SIZES) {
      const [long, short] = [textOf(size), textOf(size / TIMES)];
      const wrong = wrongGrowth(
        () => work(short),
        () => work(long),
        quickMs,
      );
      if (wrong) return [`${name}: ${wrong}`];
    }
    return [];
  });
}
