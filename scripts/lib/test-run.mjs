import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { onSignals, run, stopRuns } from './processes.mjs';
import { dataDir, main, root, say, Trouble } from './project.mjs';
import { matchingFiles, unmatchedWords } from './test-files.mjs';
import { countTests, failureLines, failuresOf, slowestFiles } from './test-report.mjs';
import { testServices } from './test-services.mjs';

const words = process.argv.slice(2);
const withBrowser = !words.includes('--no-browser');
/** All browser tests and nothing else: `npm run e2e`. */
const isAllJourneys = words.includes('--journeys');
/** The long tests, the attack suite and chaos rounds too. */
const isAll = words.includes('--all');
/** Files in random order: no test may depend on what ran before it in the same process. */
const isShuffled = words.includes('--shuffle');
/** The tests of the API through PgBouncer. */
const isPooled = words.includes('--pooled');
/** With a streaming replica, from which lists are read. */
const isReplicated = words.includes('--replicated');
/** What tests and what they start send and read is held back at random. */
const isDelayed = words.includes('--jitter');
const OPTIONS = [
  '--no-browser',
  '--journeys',
  '--all',
  '--shuffle',
  '--pooled',
  '--replicated',
  '--jitter',
];
const JITTER = {
  TESTS_JITTER: '1',
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${import.meta.resolve('./jitter.mjs')}`,
};
const CHAOS = { args: ['--rounds', '3', '--size', '6000'], timeoutMs: 15 * 60_000 };
const isNamed = words.includes('-t');
/** `-t`, and a pattern for the names of tests. */
const ofNames = isNamed ? words.splice(words.indexOf('-t'), 2) : [];
const filters = words.filter((word) => !word.startsWith('--'));
const bin = (name) => join(root, 'node_modules/.bin', name);
const total = { passed: 0, failed: 0 };
/** Tests that vitest has run. */
let ran = 0;
const failures = [];
let stopping = false;

/** Runs one step, prints its result and adds it to the total. A step that throws counts as failed; the next one still runs. */
async function step(name, work) {
  if (stopping) return;
  const since = Date.now();
  const result = await work().catch((error) => {
    console.error(error);
    return { passed: 0, failed: 1 };
  });
  total.passed += result.passed;
  total.failed += result.failed;
  const seconds = ((Date.now() - since) / 1000).toFixed(1);
  const outcome =
    result.failed === 0
      ? `ok      ${name}`
      : `FAILED  ${name}, ${result.failed} of ${result.passed + result.failed}`;
  say(`${outcome} (${seconds} s)`);
}

function saySlowest(files) {
  say('slowest files:');
  for (const { file, seconds } of files) say(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

const check = (command, args, options) => async () => {
  const code = await run(command, args, { cwd: root, ...options });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
};

let building;
/** Builds the product once, as a step of its own. Resolves with whether that succeeded. */
const built = () =>
  (building ??= (async () => {
    let isBuilt = false;
    await step('build', async () => {
      await build(process.execPath);
      isBuilt = true;
      return { passed: 1, failed: 0 };
    });
    return isBuilt;
  })());

async function staticChecks(withBuild) {
  const projects = globSync(
    ['{packages,apps}/*/tsconfig.json', '{bench,scripts,chaos}/tsconfig.json'],
    {
      cwd: root,
    },
  ).sort();
  const checks = [
    ...projects.map((project) => [
      `types ${dirname(project)}`,
      // Two projects are checked at a time. Each further checker of a project repeats most of the work.
      check(bin('tsc'), ['--noEmit', '--checkers', '1', '-p', project]),
    ]),
    ['lint', check(bin('oxlint'), ['--disable-nested-config', '--quiet'])],
    ['format', check(bin('oxfmt'), ['--check'])],
  ].map((next) => () => step(...next));
  // First, because it takes longest.
  if (withBuild) checks.unshift(built);
  const runNext = async () => {
    for (let next = checks.shift(); next; next = checks.shift()) await next();
  };
  await Promise.all([runNext(), runNext()]);
}

/** One vitest run, counted from its JSON report. */
function vitest(projects, env) {
  return async () => {
    const report = join(dataDir, `run/vitest-${process.pid}.json`);
    mkdirSync(dirname(report), { recursive: true });
    const names = projects.flatMap((name) => ['--project', name]);
    // A file of journeys takes minutes: each test is shown when it ends.
    const shown = isAllJourneys ? 'verbose' : 'default';
    const reporters = [`--reporter=${shown}`, '--reporter=json', `--outputFile.json=${report}`];
    const order = isShuffled ? ['--sequence.shuffle.files'] : [];
    const args = ['run', ...names, ...reporters, ...order, ...filters, ...ofNames];
    const more = {
      ...env,
      ...(isAll && { TESTS: 'all' }),
      ...(isDelayed && JITTER),
    };
    const code = await run(bin('vitest'), args, { cwd: root, env: { ...process.env, ...more } });
    try {
      const json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
      const counted = countTests(json, code);
      ran += counted.passed + counted.failed;
      failures.push(...failuresOf(json));
      if (filters.length === 0 && !isNamed) saySlowest(slowestFiles(json));
      return counted;
    } finally {
      rmSync(report, { force: true });
    }
  };
}

/** A step that needs the built product is skipped when the build fails. */
async function stepOnBuild(name, work) {
  if (await built()) await step(name, work);
}

const chaos = check(process.execPath, [join(root, 'scripts/lib/chaos-run.mjs'), ...CHAOS.args], {
  timeout: CHAOS.timeoutMs,
});

const TEST_PROJECTS = ['unit', 'api', 'cabinet', 'components'];
const journeys = isAllJourneys ? 'allJourneys' : 'e2e';
const projects = [
  ...(isAllJourneys ? [] : TEST_PROJECTS),
  ...(withBrowser ? [journeys] : []),
  ...(isAll ? ['attacks'] : []),
];
const hasFiles = (project) =>
  projects.includes(project) && matchingFiles(project, filters, isAll).length > 0;

/** A misspelt name must not look like a passed test. */
function checkWords() {
  const unknown = words.filter((word) => word.startsWith('--') && !OPTIONS.includes(word));
  if (unknown.length)
    throw new Trouble(`Unknown option ${unknown.join(', ')}. Options: ${OPTIONS.join(', ')}.`);
  const unmatched = unmatchedWords(projects, filters, isAll);
  if (unmatched.length === 0) return;
  const hint = isAll ? '' : ' Long tests (*.long.test.ts) and attacks run with --all only.';
  throw new Trouble(
    `No test file of this run matches ${unmatched.map((word) => `"${word}"`).join(', ')}.${hint}`,
  );
}

await main(async () => {
  checkWords();
  let services;
  onSignals(() => {
    stopping = true;
    void stopRuns('SIGINT');
  });
  try {
    if (filters.length === 0 && !isNamed && !isAllJourneys)
      await staticChecks(withBrowser || isAll);
    if (!stopping) {
      services = await testServices({ isPooled, isReplicated });
      say(`PostgreSQL and Redis: ${services.kind}`);
    }
    if (TEST_PROJECTS.some(hasFiles)) await step('tests', vitest(TEST_PROJECTS, services?.env));
    if (hasFiles(journeys)) {
      const env = { ...services?.env, ...(isAllJourneys && { JOURNEYS: 'all' }) };
      await stepOnBuild('browser journeys', vitest(['e2e'], env));
    }
    // One after the other: attacks measure response times, chaos starts its own servers.
    if (hasFiles('attacks')) await stepOnBuild('attacks', vitest(['attacks'], services?.env));
    if (isAll && filters.length === 0 && !isNamed) await step('chaos', chaos);
  } finally {
    await services?.stop();
  }
  if (stopping) total.failed += 1;
  if (isNamed && ran === 0 && !stopping)
    throw new Trouble(`No test of this run has a name like "${ofNames[1]}".`);
  for (const line of failureLines(failures)) say(line);
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
