import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Running } from '../../api/test/flows/running.ts';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { program, root } from './product.ts';
import { field, TestBrowser, wide, widths } from './test-browser.ts';
import { expectUsable } from './usable.ts';

let api: Running;
let dir: string;
let browser: TestBrowser;

// A second API process on the same world, under a host name: browsers make passkeys for no address.
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'heliograph-passkeys-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    DATABASE_URL: process.env.E2E_DATABASE_URL!,
    REDIS_URL: `${process.env.REDIS_URL!.replace(/\/\d*$/, '')}/15`,
    FILES_DIR: join(dir, 'files'),
    CABINET_DIR: join(root, 'apps/cabinet/dist'),
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    // All journeys come from one network.
    RATE_SCALE: '20',
    REGISTRATION_LIMIT: '100',
    CAPTCHA_AFTER: '100',
    DEMO: '1',
    PORT: String(port),
    PUBLIC_URL: url,
  };
  api = new Running('api', dir, [program('main.js')], env, (output) =>
    output.includes('API listening'),
  );
  await api.start(90_000);
  browser = await TestBrowser.open(url);
});
afterAll(async () => {
  await browser?.close();
  await api?.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
});

/** A device with a fingerprint reader that recognizes its owner, as part of the browser. */
async function withDevice(page: Page): Promise<{ forget: () => Promise<unknown> }> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { forget: () => session.send('WebAuthn.clearCredentials', { authenticatorId }) };
}

test.each(widths(390))(
  'a passkey is added with the password, signs in without it, and is removed: %i wide',
  async (width) => {
    const username = `key${randomInt(1e8, 1e9)}`;
    const data = {
      email: `${username}@tea.example`,
      phone: `+7901${username.slice(-7)}`,
      firstName: 'Vera',
    };
    await browser.call('POST', '/registration', { username, password: 'heliograph', data });
    const page = await browser.page(wide(width));
    const device = await withDevice(page);
    await browser.signIn(page, username);
    await page.goto(`${browser.url}/account/password`);
    const section = page.getByRole('region', { name: 'Passkeys' });
    await section.getByText('No passkeys yet.').waitFor();
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await field(page, 'Name').fill('Office laptop');
    await field(page, 'Your password').fill('not-this-one');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This password is incorrect.').first().waitFor();
    await expectUsable(browser, page, 'passkey-add');
    await field(page, 'Your password').fill('heliograph');
    await page.keyboard.press('Enter');
    const row = section.getByRole('listitem').filter({ hasText: 'Office laptop' });
    await row.getByText('not used yet').waitFor();
    await expectUsable(browser, page, 'passkeys');

    // The device has one now, and makes no second one.
    await section.getByRole('button', { name: 'Add a passkey' }).click();
    await field(page, 'Name').fill('Again');
    await field(page, 'Your password').fill('heliograph');
    await page.keyboard.press('Enter');
    await dialog.getByText('This device already has a passkey for your account.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });

    await row.getByRole('button', { name: 'Rename the passkey “Office laptop”' }).click();
    await field(page, 'Name').fill('Phone');
    await page.keyboard.press('Enter');
    const renamed = section.getByRole('listitem').filter({ hasText: 'Phone' });
    await renamed.waitFor();

    // In the same browser, whose device keeps the passkey, without a session.
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${browser.url}/login?to=%2Faccount%2Fpassword`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/account/password');
    await renamed.getByText('last used').waitFor();

    await renamed.getByRole('button', { name: 'Delete the passkey “Phone”' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await section.getByText('No passkeys yet.').waitFor();

    // The device still has it, the account does not.
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${browser.url}/login`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('This passkey is not known here, or was removed.').waitFor();
    await device.forget();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('No passkey was used.').waitFor();
    expect(
      browser.consoleErrors.filter((text) => !/responded with a status of 4(01|22)/.test(text)),
    ).toEqual([]);
  },
);
