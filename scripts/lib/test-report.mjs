// What `npm test` says of the JSON reports of vitest.
import { relative } from 'node:path';
import { root } from './project.mjs';

const SLOWEST = 10;

/** Tests of a report that passed and failed. A run without a report, or with an error outside of any test, has failed once. */
export function countTests(report, code) {
  const passed = report?.numPassedTests ?? 0;
  const failed = failuresOf(report).length;
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** The failed tests as `{ file, name, message }`; a file that could not be run has no name. */
export function failuresOf(report) {
  return (report?.testResults ?? []).flatMap((suite) => {
    const file = relative(root, suite.name);
    const failed = suite.assertionResults.filter(({ status }) => status === 'failed');
    if (suite.status === 'failed' && failed.length === 0)
      return [{ file, message: linesOf(suite.message)[0] ?? '' }];
    return failed.map(({ fullName, failureMessages }) => ({
      file,
      name: fullName,
      message: summaryOf(failureMessages?.[0], suite.name),
    }));
  });
}

/** The last lines of a run: each failed test with the command that runs it alone. */
export function failureLines(failures) {
  return failures.flatMap(({ file, name, message }) => [
    `FAILED  ${name ? `${file}: ${name}` : file}`,
    ...(message ? message.split('\n').map((line) => `        ${line}`) : []),
    `        ${commandOf(file, name)}`,
  ]);
}

/** The files that took longest, in seconds. */
export function slowestFiles(report) {
  return (report?.testResults ?? [])
    .map((suite) => ({
      file: relative(root, suite.name),
      seconds: (suite.endTime - suite.startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST);
}

function commandOf(file, name) {
  const options = [
    ...(/\.long\.|\/attacks\//.test(file) ? ['--all'] : []),
    ...(/\/e2e\/.+\//.test(file) ? ['--journeys'] : []),
  ];
  const pattern = name && ['-t', `'${escapePattern(name).replaceAll("'", String.raw`'\''`)}'`];
  return ['npm test --', ...options, file, ...(pattern || [])].join(' ');
}

const escapePattern = (name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
// eslint-disable-next-line no-control-regex -- Colours of the terminal.
const linesOf = (text) => text?.replaceAll(/\u001B\[\d+m/g, '').split('\n') ?? [];

/** The first line of an error, what a browser was waiting for, and the line of the test that it is about. */
function summaryOf(text, file) {
  const [first, ...lines] = linesOf(text);
  const waiting = lines.find((line) => line.includes('waiting for '))?.trim();
  const place = lines.find((line) => /^\s*at /.test(line) && line.includes(file));
  const at = place && `at line ${/:(\d+):\d+\)?$/.exec(place)?.[1]}`;
  return [first, waiting, at].filter(Boolean).join('\n');
}
