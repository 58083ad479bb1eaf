import { execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { debianTool } from './debian.mjs';
import { freePort } from './ports.mjs';
import { onPath, untilAnswers } from './processes.mjs';
import { isRoot, Trouble } from './project.mjs';
import { serverHome } from './unprivileged.mjs';

/** Its account, which owns the queue, and the group of its commands: of the base system, because no package makes any here. */
const OWNER = 'daemon';
const GROUP = 'mail';
const QUEUE_FOLDERS =
  'active bounce corrupt defer deferred flush hold incoming maildrop private public saved trace'.split(
    ' ',
  );

const tool = () =>
  debianTool('postfix', { packages: ['postfix'], check: '/usr/sbin/postconf', asks: '-d' });

/** Whether it can be run here: its master works only as root, and its program is of Debian's packages. */
export const hasPostfix = () => isRoot && Boolean(onPath('apt-get') && onPath('dpkg'));

/**
 * Starts a Postfix in `dataDir` that takes mail for every domain and hands it to the server at `relay` (`127.0.0.1:25`), which refuses what
 * is then returned to its sender. Resolves when it answers, with `url`, `port`, `queue`, the folder of its queue, and `exited`; `kill()` ends all of its
 * processes at once, `stop()` as its operator does. With the same folder it goes on with its queue. With `port` it is at that port, or throws.
 */
export async function postfix({ dataDir, relay, port }) {
  if (!isRoot) throw new Trouble('Postfix runs only when it is started by root.');
  const unpacked = await tool();
  if (!unpacked)
    throw new Trouble(
      'Postfix is taken from the packages of Debian, which this machine does not have.',
    );
  const programs = join(unpacked.dir, 'usr/lib/postfix');
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...unpacked.env,
  };
  const home = serverHome(dataDir);
  const own = port ?? (await freePort());
  const [settings, queue, data] = ['settings', 'queue', 'data'].map((name) => join(home, name));
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, OWNER])));
  for (const dir of [settings, queue, join(queue, 'pid')]) mkdirSync(dir, { recursive: true });
  for (const dir of [data, ...QUEUE_FOLDERS.map((name) => join(queue, name))]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chownSync(dir, uid, gid);
  }
  writeFileSync(
    join(settings, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
daemon_directory = ${programs}/sbin
command_directory = ${unpacked.dir}/usr/sbin
mail_owner = ${OWNER}
setgid_group = ${GROUP}
default_privs = nobody
import_environment = MAIL_CONFIG MAIL_LOGTAG POSTLOG_SERVICE POSTLOG_HOSTNAME LD_LIBRARY_PATH TZ LC_ALL
export_environment = MAIL_CONFIG MAIL_LOGTAG POSTLOG_SERVICE POSTLOG_HOSTNAME LD_LIBRARY_PATH TZ LC_ALL
maillog_file = ${home}/mail.log
maillog_file_prefixes = ${home}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.chaos.example
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
relayhost = [${relay.replace(':', ']:')}
smtp_dns_support_level = disabled
smtpd_recipient_restrictions = permit_mynetworks,reject
smtpd_client_connection_count_limit = 0
smtpd_peername_lookup = no
enable_long_queue_ids = yes
queue_run_delay = 2s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
smtp_destination_concurrency_limit = 20
smtp_destination_concurrency_failed_cohort_limit = 0
smtp_tls_security_level = none
smtpd_tls_security_level = none
bounce_notice_recipient = nobody
notify_classes =
`,
  );
  const services = [
    `127.0.0.1:${own} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    ...['smtp', 'relay'].map((name) => `${name} unix - - n - - smtp`),
    'showq unix n - n - - showq',
    ...['error', 'retry'].map((name) => `${name} unix - - n - - error`),
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  writeFileSync(join(settings, 'master.cf'), `${services.join('\n')}\n`);
  const logFile = join(home, 'postfix.log');
  const log = openSync(logFile, 'a');
  // A session of its own, so that all of its processes can be ended.
  const child = spawn(join(programs, 'sbin/master'), ['-d', '-c', settings], {
    cwd: '/',
    env: { ...env, MAIL_CONFIG: settings },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  await untilAnswers('Postfix', child, () => answers(own), logFile);
  const end = (signal) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
    return exited;
  };
  return {
    url: `smtp://127.0.0.1:${own}`,
    port: own,
    queue,
    exited,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Only the greeting is an answer: the master listens before it has started the server. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (result) => (socket.destroy(), resolve(result));
    socket.setTimeout(1000, () => end(false));
    socket.once('error', () => end(false)).once('close', () => end(false));
    socket.once('data', (chunk) => end(String(chunk).startsWith('220')));
  });
}
