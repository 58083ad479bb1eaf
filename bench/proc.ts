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
  let sum = seconds(stat(pid), [11, 12, 13, 14]);
  for (const child of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = stat(Number(child));
      if (Number(fields[1]) === pid) sum += seconds(fields, [11, 12]);
    } catch {
      // Ended between the listing and the look.
    }
  }
  return sum;
}

const status = (pid: number, field: string): number =>
  Number(
    new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1] ?? 0,
  ) / 1024;

export const peakMb = (pid: number): number => status(pid, 'VmHWM');
export const residentMb = (pid: number): number => status(pid, 'VmRSS');
