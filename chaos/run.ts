import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { removeData } from './data.ts';
import { runFallbacks } from './fallbacks.ts';
import { PLANTED, runPlanted } from './planted.ts';
import { runRouted } from './routed.ts';
import { runChaos } from './rounds.ts';

const JITTER = { NODE_OPTIONS: `--import ${import.meta.resolve('../scripts/lib/jitter.mjs')}` };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: process.env.CHAOS_ROUNDS ?? '5' },
    size: { type: 'string', default: process.env.CHAOS_SIZE ?? '20000' },
    seed: { type: 'string', default: process.env.CHAOS_SEED ?? Date.now().toString(36) },
    /** Rounds of routes over seven carriers, in place of the others. */
    routes: { type: 'boolean', default: false },
    /** Rounds of bulks over SMPP with a fallback to e-mail, in place of the others. */
    fallbacks: { type: 'boolean', default: false },
    /** On the program with a known fault, one after the other: those that are numbered, or all. Each has to be found. */
    planted: { type: 'boolean', default: false },
    /** Also clocks that are put, a Redis without memory, and a disk that hangs. */
    machines: { type: 'boolean', default: false },
    /** What the product sends and reads is held back at random. */
    jitter: { type: 'boolean', default: false },
  },
});
const dir = process.env.CHAOS_DIR!;
const rounds = Number(values.rounds);
const size = Number(values.size);
const { seed } = values;
const env = values.jitter ? JITTER : {};
const flags = [
  values.routes && '--routes',
  values.fallbacks && '--fallbacks',
  values.jitter && '--jitter',
  values.planted && '--planted',
  values.machines && '--machines',
].filter(Boolean);
console.log(
  `seed ${seed}: npm run chaos -- ${[...flags, '--rounds', rounds, '--size', size, '--seed', seed].join(' ')}`,
);
const say = (line: string) => console.log(line);
if (values.routes || values.fallbacks) {
  const run = values.routes ? runRouted : runFallbacks;
  const { findings, ...summary } = await run({ rounds, seed, size, dir, env, say });
  console.log(JSON.stringify(summary, null, 2));
  for (const { what, rows } of findings) {
    console.error(`\n${what}:`);
    for (const row of rows) console.error(`  ${JSON.stringify(row)}`);
  }
  if (!findings.length) removeData(dir);
  process.exit(findings.length ? 1 : 0);
}
if (values.planted) {
  const numbers = positionals.map(Number);
  const faults = PLANTED.filter((_, i) => !numbers.length || numbers.includes(i + 1));
  const found = await runPlanted(faults, { rounds, seed, size, dir, env, say });
  console.table(
    found.map(({ fault, by, round }) => ({ fault, found: by?.[0] ?? 'NOT FOUND', round })),
  );
  rmSync(dir, { recursive: true });
  process.exit(found.every(({ by }) => by) ? 0 : 1);
}
const summary = await runChaos({
  rounds,
  size,
  seed,
  dir,
  env,
  ofMachines: values.machines,
  say,
});
const { failed, faults, ...figures } = summary;
console.table({ ...figures, ...faults });
if (failed) {
  console.error(`Round ${failed.round} of seed ${failed.seed}. Its faults:`);
  for (const { kind, at, until } of failed.faults)
    console.error(`  ${new Date(at).toISOString()} ${kind}, up again after ${until - at} ms`);
  for (const { what, rows } of failed.findings) {
    console.error(`\n${what}:`);
    for (const row of rows)
      console.error(`  ${typeof row === 'string' ? row : JSON.stringify(row)}`);
  }
  console.error(`\nThe data and the logs are kept in ${dir}`);
} else removeData(dir);
const folder = new URL('./results/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL('latest.json', folder),
  JSON.stringify(
    { at: new Date().toISOString(), cores: cpus().length, node: process.version, ...summary },
    null,
    2,
  ),
);
process.exitCode = failed ? 1 : 0;
