import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUsable } from '../usable.ts';
import { entry, TestBrowser, wide } from '../test-browser.ts';
import { newcomer } from './screens.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await TestBrowser.open();
});
afterAll(() => browser.close());

const KAZAN = { latitude: 55.7934, longitude: 49.1156 };
/** A browser with the permission for geolocation. */
const inKazan = { geolocation: KAZAN, permissions: ['geolocation'] };

/** The places of the person's sign-ins, newest first. */
async function places(username: string): Promise<(string | null)[]> {
  const { rows } = await browser.db.query<{ city: string | null }>(
    `select v.data->>'city' as city from visits v join users u on u.id = v.user_id
      where u.username = $1 and v.data ? 'url' order by v.id desc`,
    [username],
  );
  return rows.map(({ city }) => city);
}

const consentOf = (page: Page) =>
  page.getByRole('switch', { name: 'Save the country and city of my sign-ins' });

/** Requests with the location of the browser. */
function sent(page: Page): string[] {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/place')) bodies.push(request.postData()!);
  });
  return bodies;
}

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Visits' }).click();
  await page.getByRole('heading', { level: 1, name: 'Visits' }).waitFor();
}

test('the location is read after consent only; the visit then has country and city, once a day', async () => {
  const username = await newcomer(browser);
  const page = await browser.page(inKazan);
  const bodies = sent(page);
  await browser.signIn(page, username);
  await open(page);
  await expect.poll(() => consentOf(page).isChecked()).toBe(false);
  // The browser by its name, with its own text below.
  await entry(page, 'Sign-in', '127.0.0.1', /Chrome \d+, Linux/, 'Mozilla/5.0').waitFor();
  expect([await places(username), bodies]).toEqual([[null], []]);

  await consentOf(page).click();
  await entry(page, 'Kazan, Russia').waitFor();
  await page.getByText('The next place will be saved after').waitFor();
  expect(bodies).toEqual(['{"latitude":55.79,"longitude":49.12}']);
  await expectUsable(browser, page, 'visits');

  // The next sign-in on the same day has no place.
  const again = await browser.page({ ...inKazan, ...wide(390) });
  const more = sent(again);
  const consentSaved = again.waitForResponse((answer) =>
    answer.url().endsWith('/telemetry/consent'),
  );
  await browser.signIn(again, username);
  await consentSaved;
  await again.goto(`${browser.url}/account/telemetry`);
  await entry(again, 'Kazan, Russia').waitFor();
  expect([await places(username), more]).toEqual([[null, 'Kazan'], []]);

  // A day later the sign-in has a place without another question.
  await browser.db.query(
    `update location_consents set located_at = located_at - interval '24 hours'`,
  );
  const later = await browser.page(inKazan);
  const noted = later.waitForResponse((answer) => answer.url().endsWith('/place'));
  await browser.signIn(later, username);
  expect((await noted).status()).toBe(200);
  expect(await places(username)).toEqual(['Kazan', null, 'Kazan']);

  // Withdrawing the consent deletes all places.
  await consentOf(page).click();
  await page.getByText('The next place will be saved after').waitFor({ state: 'hidden' });
  await entry(page, 'Kazan').waitFor({ state: 'detached' });
  expect(await places(username)).toEqual([null, null, null]);
  expect(browser.consoleErrors).toEqual([]);
});

test('consent in a browser without the permission shows a message and stores no place', async () => {
  const username = await newcomer(browser);
  const page = await browser.page({ geolocation: KAZAN, permissions: [] });
  const bodies = sent(page);
  await browser.signIn(page, username);
  await open(page);
  await consentOf(page).click();
  await page.getByText(/This browser (?:does not share its location|is not allowed)/).waitFor();
  const again = await browser.page({ geolocation: KAZAN, permissions: [] });
  const more = sent(again);
  await browser.signIn(again, username);
  await again.goto(`${browser.url}/account/telemetry`);
  await entry(again, 'Sign-in').waitFor();
  expect([await places(username), bodies, more]).toEqual([[null, null], [], []]);
  expect(browser.consoleErrors).toEqual([]);
});
