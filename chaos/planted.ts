import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, root } from './cluster.ts';
import { removeData } from './data.ts';
import { runFallbacks } from './fallbacks.ts';
import { runChaos, type Options } from './rounds.ts';

/** A mistake in the program: what it breaks, and how the compiled file is changed. */
export interface PlantedFault {
  name: string;
  file: string;
  /** Each occurrence is replaced; there has to be one. */
  find: string;
  replace: string;
  /** The rounds that find it, in place of the others. */
  of?: 'fallbacks';
}

/** One for each guarantee, as somebody could write it. */
export const PLANTED: PlantedFault[] = [
  {
    name: 'one refund in four is forgotten',
    file: 'features/billings/entries.store.js',
    find: 'select id from billings where id = any($1) and status',
    replace: `select id from billings where id = any($1) and id::text !~ '[0-3]$' and status`,
  },
  {
    name: 'money that is not there is spent',
    file: 'features/billings/balances.store.js',
    find: '(balance + overdraft)::text as available',
    replace: '(balance + overdraft + 50)::text as available',
  },
  {
    name: 'a repeated call acts again',
    file: 'core/http/idempotency-keys.store.js',
    find: 'if (!row || !key.isSecret',
    replace: 'if (row && !row.effectId) return undefined; if (!row || !key.isSecret',
  },
  {
    name: 'what a dead worker was submitting is submitted again',
    file: 'features/sendings/dispatch/reclaim.service.js',
    find: 'if (batch.stage === BATCH_STAGES.leased)',
    replace: 'if (batch.stage)',
  },
  {
    name: 'what a dead worker had leased waits for ever',
    file: 'features/sendings/dispatch/reclaim.service.js',
    find: 'const batches = this.shutdown.isStopping',
    replace: 'const batches = true',
  },
  {
    name: 'a paused bulk goes on',
    file: 'features/sendings/dispatch/dispatch.store.js',
    find: `in ('running', 'completed')`,
    replace: `in ('running', 'completed', 'paused')`,
  },
  {
    name: 'a late delivery is ignored after a failure',
    file: 'features/sendings/reports/reports.store.js',
    find: 's.status in (${processing}, ${sent}, ${failed})',
    replace: 's.status in (${processing}, ${sent})',
  },
  {
    name: 'statuses of a message are told at the same time',
    file: 'features/webhooks/delivery-queue.store.js',
    find: 'and e.seq = (select min(p.seq)',
    replace: 'and e.seq >= (select min(p.seq)',
  },
  {
    name: 'nobody asks for payments whose notification was lost',
    file: 'features/payments/payment-sweep.service.js',
    find: 'await this.store.takeDue(this.clock.now(), INTERVALS, BATCH_SIZE)',
    replace: '[]',
  },
  {
    name: 'the cabinet is not told of many changes at once',
    file: 'core/events/events.js',
    find: 'this.rooms.emit(everyone, name, { groupId, count });',
    replace: ';',
  },
  {
    name: 'a process that is asked to stop stops at once',
    file: 'core/signals.js',
    find: 'await close();',
    replace: '',
  },
  {
    name: 'what was submitted over a session that was lost is submitted again',
    of: 'fallbacks',
    file: 'channels/smpp/submit.js',
    find: `case 'unknown':`,
    replace: `case 'unknown': return { result: 'unsent' };`,
  },
  {
    name: 'receipts are acknowledged before they are stored',
    of: 'fallbacks',
    file: 'channels/smpp/smpp.driver.js',
    find: 'return this.reports.add(',
    replace: 'return void this.reports.add(',
  },
  {
    name: 'e-mails that come back are not read',
    of: 'fallbacks',
    file: 'channels/smtp/bounces.js',
    find: 'reports: report ? [report] : [],',
    replace: 'reports: [],',
  },
];

/** A copy of the program, not bundled, with the fault; below `apps/api`, where its packages are found. */
function plant({ name, file, find, replace }: PlantedFault): { program: string; folder: string } {
  const folder = join(root, 'apps/api/.data/planted');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(compiled, folder, { recursive: true });
  const program = join(folder, 'apps/api/src');
  const path = join(program, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(find)) throw new Error(`${name}: ${file} has no ${find}`);
  writeFileSync(
    path,
    text.replaceAll(find, () => replace),
  );
  return { program, folder };
}

interface Found {
  fault: string;
  /** What was found, in the round that found it; null if nothing was. */
  by: string[] | null;
  round: number;
}

/** Rounds on the program with each of the faults in turn, until one is found. The checks themselves are of the sound program. */
export async function runPlanted(
  faults: PlantedFault[],
  { say = () => undefined, ...options }: Omit<Options, 'program'>,
): Promise<Found[]> {
  const all: Found[] = [];
  for (const [i, fault] of faults.entries()) {
    const { program, folder } = plant(fault);
    const dir = join(options.dir, `planted-${i + 1}`);
    mkdirSync(dir, { mode: 0o711 });
    say(`${fault.name}:`);
    const { findings, rounds } = await roundsOf(fault, { ...options, dir, program, say });
    const by = findings.length ? findings.map(({ what }) => what) : null;
    all.push({ fault: fault.name, by, round: rounds });
    say(`  ${by ? `found by: ${by.join('; ')}` : `NOT FOUND in ${rounds} rounds`}`);
    // Which rows: a fault of our own may be among them.
    for (const { what, rows } of findings) say(`    ${what}: ${JSON.stringify(rows[0])}`);
    rmSync(folder, { recursive: true });
    removeData(dir);
  }
  return all;
}

async function roundsOf({ of }: PlantedFault, options: Options) {
  if (of === 'fallbacks') return runFallbacks(options);
  const { failed, rounds } = await runChaos(options);
  return { findings: failed?.findings ?? [], rounds };
}
