import { afterAll, beforeAll, expect, test } from 'vitest';
import { press } from '../keys.ts';
import { TestBrowser } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

test('the page about the cabinet has contacts of support, policies and the licences of all packages, by keyboard alone', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer');
  await page.goto(`${browser.url}/support`);
  await page.getByRole('heading', { level: 1, name: 'About' }).waitFor();
  const link = (name: string) => page.getByRole('link', { name }).getAttribute('href');
  expect(await link('support@heliograph.example')).toBe('mailto:support@heliograph.example');
  expect(await link('+7 495 000-00-00')).toBe('tel:+74950000000');
  await press(page, /^Show packages$/);
  await page.getByRole('heading', { name: /^On the server: \d+ packages$/ }).waitFor();
  const packages = await page.getByRole('listitem').allInnerTexts();
  for (const name of ['react 19', '@noble/hashes 2', 'express 5', 'pg 8'])
    expect(packages.filter((text) => text.startsWith(name) && text.endsWith('MIT'))).not.toEqual(
      [],
    );
  await expectUsable(browser, page, 'about');
  const texts = await page.request.get(`${browser.url}/licenses.txt`);
  expect([texts.status(), texts.headers()['content-type']]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ]);
  expect(await texts.text()).toContain('Permission is hereby granted');
  await page.getByRole('main').getByRole('link', { name: 'Privacy policy' }).click();
  await page.waitForURL('**/documentation/policies/privacy');
  expect(browser.consoleErrors).toEqual([]);
});

test('a newer version is offered; the service worker neither caches nor hides that the server is away', async () => {
  const page = await browser.page();
  await browser.signIn(page, 'customer');
  // While it activates, the worker tells open pages the version of the server.
  await page.waitForFunction(
    async () => (await navigator.serviceWorker.ready).active!.state === 'activated',
  );
  await page.route('**/version.json', (route) => route.fulfill({ json: { version: '9.9.9' } }));
  await page.reload();
  await page.getByText('Version 9.9.9 is available', { exact: true }).waitFor();
  const worker = await page.evaluate(
    async () => (await navigator.serviceWorker.ready).active!.scriptURL,
  );
  expect(worker).toBe(`${browser.url}/service-worker.js`);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await page.context().setOffline(true);
  await expect(page.reload()).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
});

test('the hidden page of components shows every icon and copies the name of one', async () => {
  const page = await browser.page({ permissions: ['clipboard-read', 'clipboard-write'] });
  await browser.signIn(page, 'customer');
  await page.goto(`${browser.url}/debug`);
  await page.getByRole('heading', { level: 2, name: 'Icons' }).waitFor();
  const icons = page.getByRole('button', { name: /^Icon[A-Z]\w+$/ });
  await expect.poll(() => icons.count()).toBeGreaterThan(50);
  await icons.filter({ hasText: /^IconUser$/ }).click();
  await page.getByText('IconUser copied.').first().waitFor();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('IconUser');
  expect(browser.consoleErrors).toEqual([]);
});
