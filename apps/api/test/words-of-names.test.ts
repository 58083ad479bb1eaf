import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
/** Released migrations, seeds and texts of the cabinet are not checked. */
const EXCLUDED =
  /(^|\/)(node_modules|dist|results|locales)(\/|$)|migrations\.test|words-of-names|023-names-on-the-wire/;
const SOURCES = '{*,{apps,packages,bench,chaos,scripts,docs}/**/*}.{ts,tsx,mjs,mts,md,yml,css}';

/** Former names and images, each with the term to use. Only words that have no other meaning here. */
const TERMS: Record<string, string> = {
  'ringAgain|rings lost|rings_lost|jobs\\.ring': 'enqueue',
  Believed: 'TtlCache',
  'handover|handovers|takeBack|HandoverResult|handing over|handed over|hands over|hand over':
    'submit',
  'in doubt|InDoubt|inDoubt': 'unknown outcome',
  'dropsRepeats|drops repeats': 'deduplicates',
  'Shelf|shelve': 'index',
  'reckon|reckons|reckoned|Reckoned': 'compute',
  'isCareful|unkeepable|useWayOn|letIn': 'a plain name',
  'LetterBox|letterBox|letter-box': 'SmtpSink',
  'torture|Torture': 'chaos',
  whoever: 'a noun',
  'borrowed session|borrowed sessions|borrows': 'impersonated session',
  'sendLetter|letter box': 'email',
  'in vain|who is above': 'a plain description',
  'lane|lanes|LANE': 'priority',
  'reachSql|@Who|Keepers': 'AccessScope, CurrentActor, AccountManagers',
  'parked_reports|fallback_signals|parkedReports': 'unmatched reports, fallback triggers',
  '(?:const|let) (?:SOME|MANY|FEW|AT_MOST|PATIENCE)': 'a constant with unit and meaning',
};
const PATTERNS = Object.entries(TERMS).map(
  ([words, term]) => [new RegExp(`(?<![\\w$.:-])(?:${words})(?![\\w$-])`), term] as const,
);

test('code and documents use the terms of the field', () => {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: (path) => EXCLUDED.test(path) });
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        PATTERNS.flatMap(([pattern, term]) => {
          const word = pattern.exec(line)?.[0];
          return word ? [`${file}:${index + 1}: "${word}", use ${term}`] : [];
        }),
      ),
  );
  expect(found).toEqual([]);
});
