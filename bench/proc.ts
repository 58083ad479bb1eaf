import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells of processes. */
const TICKS = 100;

/** After the name, which may hold anything: `state ppid ...`. */
function stat(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

export const parentOf = (pid: number): number => Number(stat(pid)[1]);

const seconds = (fields: string[], of: number[]) =>
  of.reduce((sum, i) => sum + Number(fields[i]), 0) / TICKS;

export function cpuSeconds(pid: number): number {
  return seconds(stat(pid), [11, 12]);
}

/** A process with its children, also those that ended. */
export function familySeconds(pid: number): number {
  return childrenOf(pid).reduce(
    (sum, child) => sum + cpuSeconds(child),
    seconds(stat(pid), [11, 12, 13, 14]),
  );
}

const status = (pid: number, field: string): number =>
  Number(
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1] ?? 0,
  ) / 1024;

export const peakMb = (pid: number): number => status(pid, 'VmHWM');
export const residentMb = (pid: number): number => status(pid, 'VmRSS');

/** Of a process and its children, its shared buffers aside; only its owner and root may look. */
export function familyMb(pid: number): number {
  const family = [pid, ...childrenOf(pid)];
  return family.reduce((sum, one) => sum + ownMb(one), 0);
}

function ownMb(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)![1]);
    return (of('Pss') - of('Pss_Shmem')) / 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        return parentOf(one) === pid;
      } catch {
        return false; // Ended between the listing and the look.
      }
    });
}
