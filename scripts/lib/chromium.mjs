import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Trouble } from './project.mjs';
import { debianTool } from './debian.mjs';
import { onPath } from './processes.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const fonts = ['fontconfig-config', 'fonts-dejavu-core', 'fonts-liberation'];

/** The path of a Chromium that can be started: CHROMIUM_PATH, the machine's, else one unpacked from its packages. */
export async function chromium() {
  const own =
    process.env.CHROMIUM_PATH || names.map(onPath).find((file) => file && !isPlaceholder(file));
  if (own) return own;
  const tool = await debianTool('chromium', {
    packages: ['chromium', ...fonts],
    check: 'usr/lib/chromium/chromium',
  });
  if (!tool)
    throw new Trouble(
      `No Chromium on this machine (${names.join(', ')}). Install one, or run with --no-browser.`,
    );
  return wrapper(tool);
}

/** Ubuntu's chromium-browser without snap is a script that only says so. */
function isPlaceholder(file) {
  const head = readFileSync(file).subarray(0, 4096).toString('latin1');
  return head.startsWith('#!') && /snap/.test(head) && !existsSync('/snap/bin/chromium');
}

/** Libraries and fonts are where the system does not look; a script says where. */
function wrapper({ dir, env }) {
  const script = join(dir, 'chromium');
  const fontsConf = join(dir, 'fonts.conf');
  if (existsSync(script)) return script;
  mkdirSync(join(dir, 'font-cache'), { recursive: true });
  const folders = [join(dir, 'usr/share/fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  writeFileSync(
    fontsConf,
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n` +
      folders.map((folder) => `  <dir>${folder}</dir>\n`).join('') +
      `  <include ignore_missing="yes">${join(dir, 'etc/fonts/conf.d')}</include>\n` +
      `  <include ignore_missing="yes">/etc/fonts/conf.d</include>\n` +
      `  <cachedir>${join(dir, 'font-cache')}</cachedir>\n</fontconfig>\n`,
  );
  const lines = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH='${env.LD_LIBRARY_PATH}'`,
    `export FONTCONFIG_FILE='${fontsConf}'`,
  ];
  writeFileSync(
    script,
    `${lines.join('\n')}\nexec '${join(dir, 'usr/lib/chromium/chromium')}' "$@"\n`,
  );
  chmodSync(script, 0o755);
  return script;
}
