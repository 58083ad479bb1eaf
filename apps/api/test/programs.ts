import { execFileSync } from 'node:child_process';

/** Whether a program runs on this machine with these arguments, in the environment of the tests and this one. */
export function runsHere(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    return true;
  } catch {
    return false;
  }
}
