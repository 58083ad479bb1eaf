import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ADMINISTRATOR_GRANTS,
  type IdentityProvider,
  type IdentityProviderInput,
} from '@heliograph/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OidcPeer } from '../../api/test/peers/oidc-peer.ts';
import { Running } from '../../api/test/flows/running.ts';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { program, root } from './product.ts';
import { field, TestBrowser, wide } from './test-browser.ts';
import { expectUsable } from './usable.ts';

let api: Running;
let dir: string;
let browser: TestBrowser;
let peer: OidcPeer;

// A second API process on the same world, which may call a provider on this machine.
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'heliograph-identities-'));
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
    OIDC_ALLOWED_HOSTS: '127.0.0.1',
    DEMO: '1',
    PORT: String(port),
    PUBLIC_URL: url,
  };
  api = new Running('api', dir, [program('main.js')], env, (output) =>
    output.includes('API listening'),
  );
  await api.start(90_000);
  browser = await TestBrowser.open(url);
  peer = await new OidcPeer().start();
});
afterAll(async () => {
  await browser?.close();
  await peer?.stop();
  await api?.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
});

async function register(): Promise<string> {
  const username = `oidc${randomInt(1e8, 1e9)}`;
  const data = {
    email: `${username}@tea.example`,
    phone: `+7902${username.slice(-7)}`,
    firstName: 'Vera',
  };
  await browser.call('POST', '/registration', { username, password: 'heliograph', data });
  return username;
}

/** By an administrator. */
async function addProvider(
  values: Partial<IdentityProviderInput> = {},
): Promise<{ provider: IdentityProvider; token: string }> {
  const username = await register();
  await browser.db.query(
    `update users set level = 'manager', grants = jsonb_build_object('add', $2::jsonb) where username = $1`,
    [username, JSON.stringify(ADMINISTRATOR_GRANTS)],
  );
  const token = await browser.token(username);
  const { url: issuer, clientId, secret } = peer;
  const input: Partial<IdentityProviderInput> = { title: 'Tea House', issuer, clientId, secret };
  const body = { ...input, levels: ['me'], ...values };
  const provider = await browser.call<IdentityProvider>('POST', '/identity-providers', body, token);
  peer.register(provider.redirectUri);
  return { provider, token };
}

test('an identity is linked with the password, signs in without it, and is unlinked', async () => {
  const { provider, token } = await addProvider();
  const username = await register();
  const page = await browser.page(wide(390));
  await browser.signIn(page, username);
  await page.goto(`${browser.url}/account/password`);
  const section = page.getByRole('region', { name: 'Sign-in through other services' });
  const dialog = page.getByRole('dialog');
  await section.getByRole('button', { name: 'Link Tea House' }).click();
  await field(page, 'Your password').fill('not-this-one');
  await page.keyboard.press('Enter');
  await dialog.getByText('This password is incorrect.').first().waitFor();
  await field(page, 'Your password').fill('heliograph');
  await page.keyboard.press('Enter');
  const row = section.getByRole('listitem').filter({ hasText: `${peer.person}@tea.example` });
  await row.getByText('not used yet').waitFor();
  await expectUsable(browser, page, 'identities');

  // In the same browser, without a session.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${browser.url}/login?to=%2Faccount%2Fpassword`);
  const button = page.getByRole('button', { name: 'Continue with Tea House' });
  await button.waitFor();
  await expectUsable(browser, page, 'login-providers');
  await button.click();
  await page.waitForURL(({ pathname }) => pathname === '/account/password');
  await row.getByText('last used').waitFor();

  await row.getByRole('button', { name: 'Unlink Tea House' }).click();
  await dialog.getByRole('button', { name: 'Unlink', exact: true }).click();
  await section.getByRole('button', { name: 'Link Tea House' }).waitFor();

  // The person is known at the provider, and not here.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${browser.url}/login/oidc/${provider.id}`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Nobody here is linked to this account of the provider.').waitFor();
  // No other journey meets the provider.
  await browser.call('DELETE', `/identity-providers/${provider.id}`, undefined, token);
  expect(
    browser.consoleErrors.filter((text) => !/responded with a status of 4(01|22)/.test(text)),
  ).toEqual([]);
});

test('a member of an account that requires its provider is led to it by the page of the sign-in', async () => {
  const [holder, member] = [await register(), await register()];
  const { rows } = await browser.db.query<{ id: string }>(
    `select id from users where username = $1`,
    [holder],
  );
  const AccountId = rows[0]!.id;
  const email = `${member}@tea.example`;
  await browser.db.query(
    `update users set username = $2, owner_id = $3, role = 'sender' where username = $1`,
    [member, email, AccountId],
  );
  peer.person = member;
  const { provider, token } = await addProvider({ AccountId, isRequired: true });
  const page = await browser.page(wide(390));
  await page.goto(`${browser.url}/login?to=%2Faccount%2Fpassword`);
  await field(page, 'Username').fill(email);
  await field(page, 'Password').fill('heliograph');
  await page.keyboard.press('Enter');
  await page.getByText('sign in only through its identity provider').waitFor();
  await expectUsable(browser, page, 'login-required-provider');
  await page.getByRole('button', { name: 'Continue with Tea House' }).click();
  await page.waitForURL(({ pathname }) => pathname === '/account/password');
  const section = page.getByRole('region', { name: 'Sign-in through other services' });
  await section.getByRole('listitem').filter({ hasText: email }).waitFor();
  await browser.call('DELETE', `/identity-providers/${provider.id}`, undefined, token);
});
