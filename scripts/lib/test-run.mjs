import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from './build.mjs';
import { onSignals, run, stopRuns } from './processes.mjs';
import { dataDir, main, root, say } from './project.mjs';
import { testServices } from './test-services.mjs';

const words = process.argv.slice(2);
const withBrowser = !words.includes('--no-browser');
/** Only what is done in a browser, and all of it. */
const isAllJourneys = words.includes('--journeys');
/** The long tests, the attacks and rounds of chaos as well. */
const isAll = words.includes('--all');
const CHAOS = { args: ['--rounds', '3', '--size', '6000'], timeoutMs: 15 * 60_000 };
const filters = words.filter((word) => !word.startsWith('--'));
const bin = (name) => join(root, 'node_modules/.bin', name);
const total = { passed: 0, failed: 0 };
let stopping = false;

/** Runs one step, tells how it went and adds it up. A step that throws has failed, and the next one still runs. */
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
  const what =
    result.failed === 0
      ? `ok      ${name}`
      : `FAILED  ${name}, ${result.failed} of ${result.passed + result.failed}`;
  say(`${what} (${seconds} s)`);
}

const check = (command, args, options) => async () => {
  const code = await run(command, args, { cwd: root, ...options });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
};

async function staticChecks() {
  const projects = globSync(
    ['{packages,apps}/*/tsconfig.json', '{bench,scripts,chaos}/tsconfig.json'],
    {
      cwd: root,
    },
  ).sort();
  const checks = [
    ...projects.map((project) => [
      `types ${dirname(project)}`,
      check(bin('tsc'), ['--noEmit', '-p', project]),
    ]),
    ['lint', check(bin('oxlint'), ['--disable-nested-config', '--quiet'])],
    ['format', check(bin('oxfmt'), ['--check'])],
  ];
  const lane = async () => {
    for (let next = checks.shift(); next; next = checks.shift()) await step(...next);
  };
  await Promise.all([lane(), lane()]);
}

/** One run of vitest, counted from its report. */
function vitest(projects, env) {
  return async () => {
    const report = join(dataDir, `run/vitest-${process.pid}.json`);
    mkdirSync(dirname(report), { recursive: true });
    const names = projects.flatMap((name) => ['--project', name]);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const args = ['run', '--passWithNoTests', ...names, ...reporters, ...filters];
    const more = { ...env, ...(isAll && { TESTS: 'all' }) };
    const code = await run(bin('vitest'), args, { cwd: root, env: { ...process.env, ...more } });
    try {
      return count(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined, code);
    } finally {
      rmSync(report, { force: true });
    }
  };
}

function count(report, code) {
  const passed = report?.numPassedTests ?? 0;
  const suites = report?.testResults ?? [];
  const isBroken = (suite) =>
    suite.status === 'failed' && !suite.assertionResults.some(({ status }) => status === 'failed');
  const failed = (report?.numFailedTests ?? 0) + suites.filter(isBroken).length;
  // Something outside of any test went wrong: an unhandled rejection, a global setup.
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

/** `step` for what needs the built product: the build is a step of its own, and what it fails is not tried. */
async function stepOnBuild(name, work) {
  const before = total.failed;
  await step('build', () => build(process.execPath).then(() => ({ passed: 1, failed: 0 })));
  if (total.failed === before) await step(name, work);
}

const chaos = check(process.execPath, [join(root, 'scripts/lib/chaos-run.mjs'), ...CHAOS.args], {
  timeout: CHAOS.timeoutMs,
});

const hasAttacks = () =>
  globSync('apps/api/test/attacks/**/*.test.ts', { cwd: root }).some(isWanted);
const isWanted = (file) => filters.length === 0 || filters.some((word) => file.includes(word));

const hasJourneys = () => {
  const files = globSync(`apps/cabinet/e2e/${isAllJourneys ? '**/' : ''}*.test.ts`, { cwd: root });
  return files.some(isWanted);
};

await main(async () => {
  let services;
  onSignals(() => {
    stopping = true;
    void stopRuns('SIGINT');
  });
  try {
    if (filters.length === 0 && !isAllJourneys) await staticChecks();
    if (!stopping) {
      services = await testServices();
      say(`PostgreSQL and Redis: ${services.kind}`);
    }
    if (!isAllJourneys) await step('tests', vitest(['unit', 'api', 'cabinet'], services?.env));
    if (withBrowser && hasJourneys()) {
      const env = { ...services?.env, ...(isAllJourneys && { JOURNEYS: 'all' }) };
      await stepOnBuild('browser journeys', vitest(['e2e'], env));
    }
    // One after the other: attacks measure how long others wait, chaos starts servers of its own.
    if (isAll && hasAttacks()) await stepOnBuild('attacks', vitest(['attacks'], services?.env));
    if (isAll && filters.length === 0) await step('chaos', chaos);
  } finally {
    await services?.stop();
  }
  if (stopping) total.failed += 1;
  say(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
});
