// `node scripts/pictures.mjs [url]`: takes the pictures of the user guide from a running demo product (`npm start`).
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium as findChromium } from './lib/chromium.mjs';
import { main, root, say, Trouble } from './lib/project.mjs';

const LOCALES = ['en', 'ru', 'es'];
const WIDTH = 1280;
const HEIGHT = 800;
/** Every picture is loaded with its page. */
const MAX_BYTES = 60_000;

/** Pictures by name; `user` signs in. */
const PICTURES = [
  { name: 'login', path: '/login' },
  { name: 'home', path: '/', user: 'customer' },
  { name: 'send', path: '/send', user: 'customer' },
];

const { chromium } = createRequire(join(root, 'apps/cabinet/package.json'))('playwright');

async function signIn(url, username) {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'heliograph' }),
  });
  if (!answer.ok) throw new Trouble(`${username} cannot sign in at ${url}: ${answer.status}`);
  return (await answer.json()).token;
}

async function take(browser, url, locale, { name, path, user }) {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  const token = user && (await signIn(url, user));
  await context.addInitScript(
    ([chosen, session]) => {
      localStorage.setItem('heliograph.locale', chosen);
      if (session) localStorage.setItem('heliograph.token', session);
    },
    [locale, token],
  );
  const page = await context.newPage();
  await page.goto(url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Without placeholders the page has its rows and figures.
  await page.waitForFunction(
    () => !document.querySelector('.mantine-Skeleton-root, [aria-busy=true]'),
  );
  const devtools = await context.newCDPSession(page);
  for (const quality of [80, 60, 40, 20]) {
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
    const bytes = Buffer.from(data, 'base64');
    if (bytes.length > MAX_BYTES) continue;
    const folder = join(root, 'docs/images', locale);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.webp`), bytes);
    say(`${locale}/${name}.webp: ${Math.ceil(bytes.length / 1000)} kB`);
    return context.close();
  }
  throw new Trouble(`${locale}/${name} does not fit into ${MAX_BYTES} bytes`);
}

await main(async () => {
  const url = process.argv[2] ?? 'http://127.0.0.1:3000';
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    for (const locale of LOCALES)
      for (const picture of PICTURES) await take(browser, url, locale, picture);
  } finally {
    await browser.close();
  }
});
