import { SENDING_TYPES, TEST_NUMBER_PREFIX, TEST_NUMBERS } from '@heliograph/domain';
import { seedBase } from '../../../seeds/base.ts';
import { seedDemo } from '../../../seeds/demo.ts';
import { ENTITIES } from './features.ts';
import { createDataSource } from './core/db/data-source.ts';
import { loadConfig } from './core/config.ts';
import { Db } from './core/db/db.ts';
import { hashPassword } from './core/auth/passwords.ts';
import { verifyLedger } from './features/billings/verify.ts';
import { verifySendings } from './features/sendings/verify.ts';

/** Two of these at once take turns. */
const LOCK = 7_205_760;
const DEMO_PASSWORD = 'heliograph';

const COMMANDS: Record<string, (db: Db) => Promise<void>> = {
  async migrate({ dataSource }) {
    const runner = dataSource.createQueryRunner();
    await runner.query(`select pg_advisory_lock(${LOCK})`);
    try {
      const done = await dataSource.runMigrations();
      console.log(done.length ? `Migrated: ${done.map((m) => m.name).join(', ')}` : 'Up to date');
    } finally {
      await runner.query(`select pg_advisory_unlock(${LOCK})`);
      await runner.release();
    }
  },

  async seed(db) {
    await db.transaction(async () => {
      await db.query(`select pg_advisory_xact_lock(${LOCK})`);
      await seedBase((sql, parameters) => db.query(sql, parameters), SENDING_TYPES);
    });
  },

  /** Only into a database without users, so that nobody's data is ever mixed with invented people. */
  async demo(db) {
    const passwordHash = await hashPassword(DEMO_PASSWORD);
    const testNumbers = Object.entries(TEST_NUMBERS).map(([last, outcome]) => ({
      phone: TEST_NUMBER_PREFIX + last,
      outcome,
    }));
    const loaded = await db.transaction(async () => {
      await db.query(`select pg_advisory_xact_lock(${LOCK})`);
      const query = (sql: string, parameters?: unknown[]) => db.query(sql, parameters);
      if ((await db.query(`select 1 from users limit 1`)).length) return false;
      await seedDemo(query, { passwordHash, testNumbers });
      return true;
    });
    if (!loaded) console.log('There are users already: no demo world is loaded');
  },

  /** Proves what must hold of the data; exits with 1 and the rows when something does not. */
  async verify(db) {
    const problems = [...(await verifyLedger(db)), ...(await verifySendings(db))];
    for (const { what, id, detail } of problems) console.error(`${what}: ${id}: ${detail}`);
    console.log(problems.length ? `${problems.length} problems` : 'All is well');
    if (problems.length) process.exitCode = 1;
  },
};

const name = process.argv[2] ?? '';
const command = COMMANDS[name];
if (!command) {
  console.error(`Usage: cli ${Object.keys(COMMANDS).join(' | ')}`);
  process.exit(2);
}
const { DATABASE_URL } = loadConfig();
// Unlike the processes that serve, `verify` reads whole tables: the planner is free.
const dataSource = await createDataSource(DATABASE_URL, ENTITIES).initialize();
try {
  await command(new Db(dataSource));
} finally {
  await dataSource.destroy();
}
