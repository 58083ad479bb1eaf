import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Trouble, isRoot, say } from './project.mjs';

const id = (flag) => Number(execFileSync('id', [flag, 'nobody']).toString());
let account;

/** The account that servers run under when we are root (PostgreSQL refuses root, Redis should not have it). */
export function serverAccount() {
  if (!isRoot) return {};
  try {
    return (account ??= { uid: id('-u'), gid: id('-g') });
  } catch {
    throw new Trouble(
      'Running as root needs an account "nobody" for the database server; this machine has none.',
    );
  }
}

/** Whether everyone may pass through every folder above this path. */
export function isReachable(path) {
  for (let dir = path; ; dir = dirname(dir)) {
    if (!(statSync(dir).mode & 0o001)) return false;
    if (dir === dirname(dir)) return true;
  }
}

/**
 * A folder in which the server account may own subfolders. As root in a private place (a checkout under /root) it is a link
 * to one under /var/lib, because other accounts cannot enter /root.
 */
export function serverHome(dir) {
  mkdirSync(dirname(dir), { recursive: true });
  if (isRoot && !lstatSync(dir, { throwIfNoEntry: false }) && !isReachable(dirname(dir))) {
    mkdirSync('/var/lib/heliograph', { recursive: true });
    const place = mkdtempSync('/var/lib/heliograph/data-');
    chmodSync(place, 0o711);
    symlinkSync(place, dir);
    say(`The database's files are in ${place}: its account cannot enter ${dirname(dir)}.`);
  }
  mkdirSync(dir, { recursive: true });
  return realpathSync(dir);
}

/** A folder for the server account alone. */
export function ownedFolder(dir) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (isRoot) chownSync(dir, serverAccount().uid, serverAccount().gid);
  return dir;
}

export function ownedFile(file, content) {
  writeFileSync(file, content, { mode: 0o600 });
  if (isRoot) chownSync(file, serverAccount().uid, serverAccount().gid);
  return file;
}
