import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Running } from '../../../api/test/flows/running.ts';
import { signed } from '../../../api/src/core/http/standard-webhooks.ts';
import { Acquirer } from '../../../simulator/src/acquirer.ts';
import { freePort } from '../../../../scripts/lib/ports.mjs';
import { SmtpSink } from '../../../../scripts/lib/smtp-sink.mjs';
import { ownDatabase, program, root, type OwnDatabase } from '../product.ts';
import { entry, field, TestBrowser } from '../test-browser.ts';
import { expectUsable } from '../usable.ts';
import { topUp } from './top-up.ts';

/**
 * An installation without the demo world, as `npm start` makes one, with a mail server and a carrier in its network and
 * an acquirer.
 */

const PASSWORD = 'tea & 2 cups';
const PATIENCE_MS = 90_000;
const ACQUIRER_SECRET = 'secret-of-the-acquirer';
const folder = mkdtempSync(join(tmpdir(), 'heliograph-new-'));
const mails = new SmtpSink();
const running: Running[] = [];
let env: Record<string, string>;
let database: OwnDatabase;
let browser: TestBrowser;
let carrier: Server;
let acquirer: Server;
let secret: string;
const carried: string[] = [];
let smtp: string;

const listening = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** What a command of the product prints. */
function cli(command: string): Promise<string> {
  const child = spawn(process.execPath, [program('cli.js'), command], { env, cwd: root });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command}: ${output}`)),
    ),
  );
}

beforeAll(async () => {
  database = await ownDatabase(`heliograph_new_${process.pid}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  acquirer = new Acquirer({ secret: ACQUIRER_SECRET, baseUrl: () => urlOf(acquirer) }).serve();
  await listening(acquirer);
  env = {
    PATH: process.env.PATH!,
    DATABASE_URL: database.url,
    REDIS_URL: process.env.REDIS_URL!,
    REDIS_PREFIX: `new-${process.pid}`,
    FILES_DIR: join(folder, 'files'),
    CABINET_DIR: join(root, 'apps/cabinet/dist'),
    NODE_ENV: 'production',
    PORT: String(port),
    PUBLIC_URL: url,
    DEMO: '0',
    CURRENCY: 'EUR',
    PAYMENT_METHODS: 'sandbox',
    PAYMENT_SANDBOX_URL: urlOf(acquirer),
    PAYMENT_SANDBOX_SECRET: ACQUIRER_SECRET,
    // The mail server and the carrier.
    CHANNEL_ALLOWED_HOSTS: '127.0.0.0/8',
  };
  await cli('prepare');
  const start = (file: string, ready: string) => {
    const one = new Running(file, folder, [program(file)], env, (out) => out.includes(ready));
    running.push(one);
    return one.start(PATIENCE_MS);
  };
  await start('main.js', 'API listening');
  await start('worker.js', 'worker started');
  smtp = await mails.open();
  carrier = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { messages } = JSON.parse(body) as {
        messages: { reference: string; payload: { text: string } }[];
      };
      carried.push(...messages.map(({ payload }) => payload.text));
      const references = messages.map(({ reference }) => reference);
      const results = references.map((reference) => ({ reference, result: 'accepted' }));
      response.end(JSON.stringify({ results }));
      const statuses = references.map((reference) => ({ reference, status: 'delivered' }));
      const report = JSON.stringify({ statuses });
      const headers = { 'content-type': 'application/json', ...signed(secret, report) };
      void fetch(`${url}/api/channels/carrier/statuses`, { method: 'POST', headers, body: report });
    });
  });
  await listening(carrier);
  browser = await TestBrowser.open(url, database.url);
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all(running.map((one) => one.kill()));
  carrier?.close();
  acquirer?.close();
  mails.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const dialogOf = (page: Page) => page.getByRole('dialog').last();
/** The field of the dialog with this label, required or not. */
const fieldOf = (page: Page, name: string) =>
  dialogOf(page).getByLabel(new RegExp(`^${name}( \\*)?$`));
const closed = (page: Page) => expect.poll(() => page.getByRole('dialog').count()).toBe(0);

/** A tariff for SMS at this price. */
async function createTariff(page: Page, title: string, price: string, isDefault: boolean) {
  await page.goto(`${browser.url}/tariffCatalogue/create`);
  await page.getByRole('textbox', { name: /^Tariff/ }).fill(title);
  const form = page.getByRole('form', { name: 'Tariff' });
  await form.getByLabel('Channel').selectOption({ label: 'SMS' });
  if (isDefault) await page.getByLabel('Assign to new accounts').check();
  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = dialogOf(page);
  await rule.getByLabel(/^Price/).fill(price);
  await rule.getByRole('button', { name: 'Apply' }).click();
  await closed(page);
  await page.getByRole('button', { name: 'Create tariff' }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
}

/** Who creates an account invites its holder, who chooses a password and signs in. */
async function invite(page: Page, email: string, phone: string, level?: string): Promise<Page> {
  await page.goto(`${browser.url}/users`);
  await page.getByRole('button', { name: 'Create an account' }).first().click();
  const dialog = dialogOf(page);
  await fieldOf(page, 'E-mail').fill(email);
  await fieldOf(page, 'Phone').fill(phone);
  if (level) await fieldOf(page, 'Level').selectOption({ label: level });
  await dialog.getByRole('button', { name: 'Create an account' }).click();
  await closed(page);
  const links = () =>
    mails.emails.flatMap(({ to, text }) =>
      to.includes(email) ? (/http\S+\/recover\/\S+/.exec(text) ?? []) : [],
    );
  await expect.poll(() => links().length).toBe(1);
  const own = await browser.page();
  await own.goto(links()[0]!);
  await field(own, 'New password').fill(PASSWORD);
  await field(own, 'Confirm password').fill(PASSWORD);
  await own.getByRole('button', { name: 'Set password' }).click();
  await own.getByRole('link', { name: 'Sign in' }).click();
  await field(own, 'Username').fill(email);
  await field(own, 'Password').fill(PASSWORD);
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.waitForURL((at) => at.pathname === '/');
  return own;
}

test('from nothing to a paying customer of a reseller with its own prices and brand, in the browser alone', async () => {
  // What `npm start` shows.
  const link = /http\S+\/setup#\S+/.exec(await cli('setup-link'))![0];
  const page = await browser.page();
  await page.goto(browser.url);
  await page.getByRole('link', { name: 'Set up Heliograph' }).click();
  await page.getByRole('heading', { level: 1, name: 'Set up Heliograph' }).waitFor();
  await expectUsable(browser, page, 'setup');
  await page.goto(link);
  await expect.poll(() => field(page, 'Setup code').inputValue()).toBe(link.split('#')[1]);
  await field(page, 'Username').fill('captain');
  await field(page, 'Password').fill(PASSWORD);
  await field(page, 'Confirm password').fill(PASSWORD);
  await field(page, 'E-mail').fill('captain@beacon.example');
  await page.getByRole('button', { name: 'Create the administrator' }).click();

  const steps = page.getByRole('region', { name: 'Getting started' });
  const done = () => steps.getByRole('listitem').filter({ hasText: '(done)' }).count();
  await steps.waitFor();
  expect(await done()).toBe(1);
  await expectUsable(browser, page, 'getting-started');
  await steps.getByRole('link', { name: 'Set a mail server and send a test e-mail' }).click();
  const mail = page.getByRole('region', { name: 'E-mail' });
  await mail.getByLabel('Sending of e-mails').selectOption({ label: 'Mail server' });
  await mail.getByLabel('Mail server', { exact: true }).fill(smtp);
  await mail.getByLabel('Sender of e-mails').fill('Beacon <noreply@beacon.example>');
  await mail.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  await mail.getByRole('button', { name: 'Send a test e-mail to me' }).click();
  await mail.getByText('The mail server accepted the e-mail to captain@beacon.example').waitFor();

  await page.goto(browser.url);
  await expect.poll(done).toBe(2);
  await steps.getByRole('link', { name: 'Add a channel to your carrier and try it' }).click();
  await page.getByRole('button', { name: 'Add a channel' }).first().click();
  await fieldOf(page, 'Name').fill('carrier');
  await dialogOf(page).getByLabel('SMS', { exact: true }).check();
  await fieldOf(page, 'Carrier address').fill(`${urlOf(carrier)}/messages`);
  await dialogOf(page).getByRole('button', { name: 'Generate' }).click();
  secret = await dialogOf(page).locator('code').innerText();
  await dialogOf(page).getByRole('button', { name: 'Add a channel' }).click();
  await closed(page);
  await page.getByRole('button', { name: 'Test “carrier”' }).click();
  await fieldOf(page, 'Phone').fill('+4915112345678');
  await fieldOf(page, 'Sender').fill('BEACON');
  await dialogOf(page).getByRole('button', { name: 'Send', exact: true }).click();
  await dialogOf(page).getByText('The channel works: the message was delivered').waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  await page.getByRole('button', { name: 'Turn on “carrier”' }).click();
  await entry(page, 'carrier', 'Working').waitFor();

  await createTariff(page, 'Retail', '0.05', true);
  // The tariff with invented prices is for nobody.
  await page.goto(`${browser.url}/tariffCatalogue`);
  await entry(page, 'Standard').getByRole('link').first().click();
  await page.getByLabel('Assign to new accounts').uncheck();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Tariff “Standard” saved').first().waitFor();
  const reseller = await invite(page, 'tea@post.example', '+4915112345679', 'Reseller');
  await page.goto(browser.url);
  // All steps are done, so the list is not shown any more.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).join()))
    .toContain('heliograph.gettingStarted.');
  await expect.poll(() => steps.count()).toBe(0);

  await createTariff(reseller, 'Tea prices', '4.5', false);
  await reseller.goto(`${browser.url}/brand`);
  await field(reseller, 'Name').fill('Tea Post');
  await reseller.getByRole('button', { name: 'Save' }).first().click();
  await reseller.getByText('The brand is saved.').waitFor();
  const customer = await invite(reseller, 'anna@tea.example', '+4915112345680');
  await customer.getByText('Tea Post').first().waitFor();
  await reseller.goto(`${browser.url}/users`);
  await entry(reseller, 'anna@tea.example').getByRole('link').first().click();
  await reseller.getByRole('button', { name: 'Change tariffs' }).click();
  const assign = reseller.getByRole('dialog', { name: 'Tariffs of anna@tea.example' });
  await assign.getByRole('button', { name: 'Add tariff' }).click();
  await assign.getByRole('combobox', { name: 'Tariff' }).click();
  await reseller.getByRole('option', { name: 'Tea prices' }).click();
  await assign.getByLabel('Priority').fill('10');
  await assign.getByRole('button', { name: 'Assign' }).click();
  await assign.waitFor({ state: 'hidden' });

  await topUp(customer, browser, 20);
  await customer.goto(`${browser.url}/send?type=sms&recipient=%2B4915112345681&sender=DEMO`);
  await customer.getByRole('textbox', { name: /^Text/ }).first().fill('Your order is ready');
  for (let i = 0; i < 2; i++)
    await customer.getByRole('button', { name: 'Next', exact: true }).click();
  await customer.getByRole('button', { name: /^Send 1 message for/ }).click();
  await customer.getByText('Message to +4915112345681 accepted.').first().waitFor();
  await expect.poll(() => carried.at(-1)).toBe('Your order is ready');
  const bill = async () =>
    (
      await browser.db.query(
        `select -b.amount::float8 as amount, t.title from billings b
           join users u on u.id = b.owner_id join tariffs t on t.id = b.tariff_id
          where u.username = 'anna@tea.example'`,
      )
    ).rows.map(({ amount, title }: { amount: number; title: string }) => [amount, title]);
  expect(await bill()).toEqual([[4.5, 'Tea prices']]);
  await customer.goto(`${browser.url}/balance/billings`);
  await customer.getByText('4.50').first().waitFor();
  await customer.goto(`${browser.url}/messages/outgoing`);
  await entry(customer, '+4915112345681', 'Delivered').waitFor();
  expect(await cli('verify')).toBe('No problems found\n');
  expect(browser.consoleErrors).toEqual([]);
}, 240_000);
