import { createContext } from './app.ts';
import { seedBase } from '../../../seeds/base.ts';
import { loadDemo, replaceDemoPasswords } from './demo.ts';
import { ENTITIES } from './features.ts';
import { createDataSource } from './core/db/data-source.ts';
import { loadConfigOrExit, type Config } from './core/config.ts';
import { databaseProblem } from './core/db/database-problem.ts';
import { Db } from './core/db/db.ts';
import { migrate, migrateDown, SCHEMA_LOCK } from './core/db/migrate.ts';
import { AppError } from './core/errors.ts';
import { copyFiles } from './core/files/copy-files.ts';
import { createFiles } from './core/files/create-files.ts';
import { createLog } from './core/log.ts';
import { failureText } from './core/log-error.ts';
import { randomPassword } from './core/auth/passwords.ts';
import { rotateSessionKey } from './core/auth/session-key.ts';
import { readPassword } from './core/auth/read-password.ts';
import { resetSecondFactor } from './features/auth/reset-second-factor.ts';
import { requestErasure, erasePerson } from './features/sendings/persons/erase-person.ts';
import { noteUpkeep } from './features/installation/installation.store.ts';
import { ownerOf } from './features/users/commands.store.ts';
import { createAdministrator } from './features/users/create-administrator.ts';
import { compactIndexes } from './compact-indexes.store.ts';
import { createAccount, parseAccount } from './create-account.ts';
import { RegistrationService } from './features/registration/registration.service.ts';
import { setPrices } from './features/tariffs/set-prices.ts';
import { pauseSending } from './pause-sending.store.ts';
import { setAccount } from './set-account.ts';
import { setupLink } from './features/users/setup-code.ts';
import { setEmail } from './features/users/set-email.ts';
import { setPhone } from './features/users/set-phone.ts';
import { verify } from './verify.ts';

const COMMANDS: Record<string, (db: Db, config: Config, args: string[]) => Promise<void>> = {
  /** Migrates to the latest version; `--down [N]` reverts the last N migrations (default 1). */
  async migrate({ dataSource }, _config, args) {
    const count = parseDownCount(args);
    const done = count ? await migrateDown(dataSource, count) : await migrate(dataSource);
    const action = count ? 'Reverted' : 'Migrated';
    console.log(done.length ? `${action}: ${done.join(', ')}` : 'Up to date');
  },

  async seed(db) {
    await db.transaction(async () => {
      await db.query(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
      await seedBase((sql, parameters) => db.query(sql, parameters));
    });
  },

  async demo(db, config) {
    const loaded = await loadDemo(db, config, await createFiles(config), config);
    if (!loaded) console.log('The database has users; demo data was not loaded');
    else if (loaded !== true) showOnce('Demo accounts', loaded);
  },

  /** Prepares a new installation: migrations, seeds and, with DEMO, demo data. Idempotent. */
  async prepare(db, config, args) {
    await COMMANDS.migrate!(db, config, []);
    await COMMANDS.seed!(db, config, args);
    if (config.DEMO) await COMMANDS.demo!(db, config, args);
  },

  async 'demo-passwords'(db) {
    const passwords = await replaceDemoPasswords(db);
    if (Object.keys(passwords).length) showOnce('New passwords of demo accounts', passwords);
    else console.log('No demo account has the documented password');
  },

  /** `create-admin NAME`: prompts for a password, reads it from stdin with `--password-stdin`, or generates one. */
  async 'create-admin'(db, _config, args) {
    const [username = '', ...options] = args;
    const given = await readPassword(options);
    const password = given || randomPassword();
    await createAdministrator(db, { username, password });
    if (given) console.log(`Created the administrator ${username}`);
    else showOnce('Created the administrator', { [username]: password });
  },

  /** Where the first administrator is created in the cabinet; nothing when there is one. */
  async 'setup-link'(db, config) {
    const link = await setupLink(db, config);
    if (link) console.log(`Nobody administers this installation yet. Set it up: ${link}`);
  },

  /** `create-account NAME --phone PHONE ...`: the account of a customer. The password is read as by `create-admin`. */
  async 'create-account'({ dataSource }, config, args) {
    const account = parseAccount(args);
    const given = await readPassword(account.rest);
    const password = given || randomPassword();
    const log = createLog('error', 'cli');
    const context = await createContext({ config, log, dataSource });
    try {
      const registration = context.get(RegistrationService, { strict: false });
      await createAccount(context.get(Db), registration, account, password);
    } finally {
      await context.close();
    }
    if (given) console.log(`Created the account ${account.username}`);
    else showOnce('Created the account', { [account.username]: password });
  },

  /** `set-account NAME creditLine=5000 types=sms,viber`: changes the named settings of an account. */
  async 'set-account'(db, _config, [username = '', ...changes]) {
    await setAccount(db, username, changes);
    console.log(`The settings of ${username} were changed`);
  },

  /** `set-prices sms=0.08 voice=0.02/0.001`: replaces the prices of the default tariff. */
  async 'set-prices'(db, _config, args) {
    await setPrices(db, args);
    console.log('The prices of the default tariff were replaced');
  },

  /** Replaces the session signing key. Open sessions stay valid unless `--end-sessions` is given. */
  async 'rotate-session-key'(db, config, args) {
    if (config.JWT_SECRET)
      throw new AppError(
        'conflict',
        'JWT_SECRET is set. Change it in the configuration and set JWT_SECRET_PREVIOUS to its former value.',
      );
    const endsSessions = args.includes('--end-sessions');
    await rotateSessionKey(db, endsSessions);
    console.log(
      `The session key was replaced${endsSessions ? '; all open sessions were ended' : ''}`,
    );
  },

  /** `set-email NAME ADDRESS`: sets a confirmed e-mail. */
  async 'set-email'(db, _config, [username = '', email = '']) {
    await setEmail(db, { username, email });
    console.log(`The e-mail of ${username} was changed`);
  },

  /** `reset-second-factor NAME`: turns off the two-factor sign-in of a user who has lost it. */
  async 'reset-second-factor'(db, _config, [username = '']) {
    await resetSecondFactor(db, username);
    console.log(`The second factor of ${username} was turned off`);
  },

  /** `set-phone NAME PHONE`: sets a confirmed phone. */
  async 'set-phone'(db, _config, [username = '', phone = '']) {
    await setPhone(db, { username, phone });
    console.log(`The phone of ${username} was changed and confirmed`);
  },

  /** `erase-person ACCOUNT ADDRESS`: erases a person by phone or e-mail; workers finish messages that are still in progress. */
  async 'erase-person'(db, _config, [username = '', address = '']) {
    const OwnerId = await ownerOf(db, username);
    if (!OwnerId) throw new AppError('not_found', `There is no user ${username}`);
    const erasure = await requestErasure(db, { OwnerId, address });
    const { contacts, incoming, messages, underWay } = await erasePerson(db, erasure);
    const removed = contacts.reduce((sum, { count }) => sum + count, 0);
    console.log(`Erased: contacts ${removed}, messages ${messages}, incoming ${incoming}`);
    if (underWay)
      console.log(`Messages in progress: ${underWay}. Workers erase them when they are finished.`);
  },

  /** `files:copy disk s3` or `files:copy s3 disk`: copies the contents of files that the other store lacks. */
  async 'files:copy'(_db, config, args) {
    console.log(`Copied: ${await copyFiles(config, args)}`);
  },

  /** Pauses what would send at once: for a database that was restored. */
  async 'pause-sending'(db) {
    const { bulks, recurring, automations, pending } = await pauseSending(db, new Date());
    console.log(
      `Paused: bulks ${bulks}, recurring sendings ${recurring}, automations ${automations}`,
    );
    if (pending) console.log(`Single messages that workers will submit: ${pending}`);
  },

  /** Notes that a backup was made now, for the page of the installation. */
  async 'backed-up'(db) {
    await noteUpkeep(db, 'backup');
  },

  /** `compact-indexes [TABLE...]`: builds indexes anew, of all tables or of these, without stopping anything. */
  async 'compact-indexes'(db, _config, tables) {
    const sum = { before: 0, after: 0 };
    for await (const one of compactIndexes(db, tables)) {
      console.log(`${one.index}: ${megabytes(one.before)}, now ${megabytes(one.after)}`);
      sum.before += one.before;
      sum.after += one.after;
    }
    console.log(`In all: ${megabytes(sum.before)}, now ${megabytes(sum.after)}`);
  },

  /** Checks the invariants of the data; prints violations and exits with 1. The page of the installation shows the result. */
  async verify(db) {
    const problems = await verify(db);
    await noteUpkeep(db, 'verify', problems.length);
    for (const { what, id, detail } of problems) console.error(`${what}: ${id}: ${detail}`);
    console.log(problems.length ? `${problems.length} problems` : 'No problems found');
    if (problems.length) process.exitCode = 1;
  },
};

/** The number of migrations to revert; 0 without `--down`. */
function parseDownCount([option, count = '1']: string[]): number {
  if (option === undefined) return 0;
  if (option !== '--down' || !/^[1-9]\d{0,2}$/.test(count))
    throw new AppError('validation', 'Usage: cli migrate [--down [N]]');
  return Number(count);
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

function showOnce(title: string, passwords: Record<string, string>): void {
  const lines = Object.entries(passwords).map(([name, password]) => `  ${name}  ${password}`);
  console.log([`${title}. The passwords are shown only once:`, ...lines].join('\n'));
}

const name = process.argv[2] ?? '';
const command = COMMANDS[name];
if (!command) {
  console.error(`Usage: cli ${Object.keys(COMMANDS).join(' | ')}`);
  process.exit(2);
}
const config = loadConfigOrExit();
// `verify` reads whole tables, so sequential scans stay enabled, unlike in the API and the workers.
const dataSource = createDataSource(config.directUrl, ENTITIES);
try {
  await dataSource.initialize();
  await command(new Db(dataSource), config, process.argv.slice(3));
} catch (error) {
  // Node would print every property of the error, which includes the refused row.
  const sentence = error instanceof AppError ? error.message : databaseProblem(error);
  console.error(sentence ?? failureText(error));
  process.exitCode = 1;
} finally {
  if (dataSource.isInitialized) await dataSource.destroy();
}
