import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { debianTool } from './debian.mjs';
import { onPath } from './processes.mjs';

/**
 * PHP with its extension for HTTP, of this machine or unpacked from its packages: the command, its first arguments and its environment.
 * Undefined where neither can be had.
 */
export async function php() {
  const own = onPath('php');
  if (own && hasCurl(own)) return { command: own, args: [], env: {} };
  const packages = ['php-cli', 'php-curl'];
  const tool = await debianTool('php', { packages, check: 'usr/bin/php.default' }).catch(
    () => undefined,
  );
  if (!tool) return undefined;
  const modules = join(tool.dir, 'usr/lib/php');
  const api = readdirSync(modules).find((name) => /^\d+$/.test(name));
  const args = ['-n', '-d', `extension_dir=${join(modules, api)}`, '-d', 'extension=curl'];
  return { command: join(tool.dir, 'usr/bin/php.default'), args, env: tool.env };
}

function hasCurl(command) {
  try {
    execFileSync(command, ['-r', 'curl_version();'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
