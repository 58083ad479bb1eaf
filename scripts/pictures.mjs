// `node scripts/pictures.mjs [url] [language …] [name …]`: takes the pictures of the user guide, all or those named, from a
// demo product.
// Without a URL it uses the product that runs from this folder, or starts one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium as findChromium } from './lib/chromium.mjs';
import { sendDemoMessages, signIn, signOut } from './lib/demo-messages.mjs';
import { PICTURES } from './lib/pictures/list.mjs';
import { main, root, say, Trouble } from './lib/project.mjs';
import { dayZone, product } from './lib/pictures/product.mjs';
import { textsOf } from './lib/texts.mjs';

const LOCALES = ['en', 'ru', 'es'];
const WIDTH = 1280;
const HEIGHT = 800;
/** Space around a part of the page, in pixels. */
const MARGIN = 12;
const TIMEOUT_MS = 30_000;
/** A page has up to ten pictures. */
const MAX_BYTES = 60_000;

const { chromium } = createRequire(join(root, 'apps/cabinet/package.json'))('playwright');

/** The page at rest: without placeholders, with its fonts and pictures, and without a blinking cursor. */
async function settle(page) {
  await page.waitForFunction(
    () => !document.querySelector('.mantine-Skeleton-root, [aria-busy=true], [data-loading=true]'),
  );
  await page.addStyleTag({ content: '* { caret-color: transparent !important }' });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
}

/** The whole window, or the smallest part of it that has all of these elements. */
async function clipOf(page, parts, height) {
  if (!parts) return { x: 0, y: 0, width: WIDTH, height };
  const boxes = (await Promise.all(parts.map((part) => part.boundingBox()))).filter(Boolean);
  if (boxes.length < parts.length) throw new Trouble('A part of the picture is not on the page.');
  const left = Math.max(0, Math.min(...boxes.map((box) => box.x)) - MARGIN);
  const top = Math.max(0, Math.min(...boxes.map((box) => box.y)) - MARGIN);
  const right = Math.min(WIDTH, Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN);
  const bottom = Math.min(height, Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN);
  const [x, y] = [Math.floor(left), Math.floor(top)];
  return { x, y, width: Math.ceil(right) - x, height: Math.ceil(bottom) - y };
}

/** One per language and user, so that the code of the product is loaded once. */
async function contextFor(browser, locale, timezoneId, token) {
  const context = await browser.newContext({
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale,
    timezoneId,
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addInitScript(
    ([chosen, session]) => {
      // Drafts of other pictures.
      localStorage.clear();
      localStorage.setItem('heliograph.locale', chosen);
      if (session) localStorage.setItem('heliograph.token', session);
    },
    [locale, token],
  );
  return context;
}

async function take(context, url, locale, picture) {
  const { name, path, height = HEIGHT, act, parts } = picture;
  const page = await context.newPage();
  await page.setViewportSize({ width: WIDTH, height });
  const t = textsOf(locale);
  await page.goto(url + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settle(page);
  await act?.(page, t);
  await settle(page);
  const clip = await clipOf(page, parts?.(page, t), height);
  const devtools = await context.newCDPSession(page);
  const bytes = await shrink(devtools, { ...clip, scale: 1 });
  if (!bytes) throw new Trouble(`${locale}/${name} does not fit into ${MAX_BYTES} bytes`);
  const folder = join(root, 'docs/images', locale);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.webp`), bytes);
  say(`${locale}/${name}.webp ${clip.width}x${clip.height}: ${Math.ceil(bytes.length / 1000)} kB`);
  await page.close();
}

async function shrink(devtools, clip) {
  for (const quality of [75, 60, 40, 20]) {
    const shot = await devtools.send('Page.captureScreenshot', { format: 'webp', quality, clip });
    const bytes = Buffer.from(shot.data, 'base64');
    if (bytes.length <= MAX_BYTES) return bytes;
  }
  return null;
}

await main(async () => {
  const given = process.argv.slice(2);
  const names = given.filter((one) => !one.startsWith('http') && !LOCALES.includes(one));
  const languages = LOCALES.filter((one) => given.includes(one));
  const wanted = PICTURES.filter(({ name }) => !names.length || names.includes(name));
  const { url, stop } = await product(given.find((one) => one.startsWith('http')));
  const failed = [];
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    const users = ['customer', 'reseller', 'manager'];
    const signed = users.map(async (user) => [user, await signIn(url, user)]);
    const tokens = Object.fromEntries(await Promise.all(signed));
    for (const locale of languages.length ? languages : LOCALES) {
      await sendDemoMessages(url, tokens.customer);
      for (const user of new Set(wanted.map((picture) => picture.user))) {
        const context = await contextFor(browser, locale, dayZone(), user && tokens[user]);
        const ofUser = wanted.filter((picture) => picture.user === user);
        for (const picture of ofUser) {
          try {
            await take(context, url, locale, picture);
          } catch (error) {
            failed.push(`${locale}/${picture.name}`);
            say(`${failed.at(-1)}: ${error.message}`);
            // A page that stays open would lose its session to the next one, and take it along.
            for (const page of context.pages()) await page.close();
          }
        }
        await context.close();
      }
    }
    for (const token of Object.values(tokens)) await signOut(url, token);
    if (failed.length) throw new Trouble(`Not taken: ${failed.join(', ')}`);
  } finally {
    await browser.close();
    await stop();
  }
});
