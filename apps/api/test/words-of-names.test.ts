import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
/** Released migrations and recorded texts keep their words. */
const EXCLUDED =
  /^(migrations|seeds|docs\/images|apps\/api\/src\/(features\/)?channels)\/|\/locales\/|migrations\.test|words-of-names/;
const SOURCES = /\.(ts|tsx|mjs|mts|md|yml|css)$/;

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
  'lane|lanes|LANE': 'priority',
  'reachSql|@Who|Keepers': 'AccessScope, CurrentActor, AccountManagers',
  'parked_reports|fallback_signals|parkedReports': 'unmatched reports, fallback triggers',
  '(?:const|let) (?:SOME|MANY|FEW|AT_MOST|PATIENCE)': 'a constant with unit and meaning',
};
const PATTERNS = Object.entries(TERMS).map(
  ([words, term]) => [new RegExp(`(?<![\\w$.:-])(?:${words})(?![\\w$-])`), term] as const,
);

test('code and documents use the terms of the field', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const found = files
    .filter((file) => SOURCES.test(file) && !EXCLUDED.test(file) && existsSync(join(ROOT, file)))
    .flatMap((file) =>
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
