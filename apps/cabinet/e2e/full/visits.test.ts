import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fine } from '../fine.ts';
import { entry, Stage, wide } from '../stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const KAZAN = { latitude: 55.7934, longitude: 49.1156 };
/** A browser that may tell where it is. */
const inKazan = { geolocation: KAZAN, permissions: ['geolocation'] };

/** The places of the person's sign-ins, newest first. */
async function places(username: string): Promise<(string | null)[]> {
  const { rows } = await stage.db.query<{ city: string | null }>(
    `select v.data->>'city' as city from visits v join users u on u.id = v.user_id
      where u.username = $1 and v.data ? 'url' order by v.id desc`,
    [username],
  );
  return rows.map(({ city }) => city);
}

const consentOf = (page: Page) =>
  page.getByRole('switch', { name: 'Save the country and city of my sign-ins' });

/** What is sent of where the browser is. */
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

test('nobody is asked where they are before they consent; then country and city stand in the visit, once a day', async () => {
  const page = await stage.page(inKazan);
  const bodies = sent(page);
  await stage.signIn(page, 'customer2');
  await open(page);
  expect(await consentOf(page).isChecked()).toBe(false);
  await entry(page, 'Sign-in', '127.0.0.1').waitFor();
  expect([await places('customer2'), bodies]).toEqual([[null], []]);

  await consentOf(page).click();
  await entry(page, 'Kazan, Russia').waitFor();
  await page.getByText('The next place will be saved after').waitFor();
  expect(bodies).toEqual(['{"latitude":55.79,"longitude":49.12}']);
  await fine(stage, page, 'visits');

  // The next sign-in on the same day is without a place.
  const again = await stage.page({ ...inKazan, ...wide(390) });
  const more = sent(again);
  const told = again.waitForResponse((answer) => answer.url().endsWith('/telemetry/consent'));
  await stage.signIn(again, 'customer2');
  await told;
  await again.goto(`${stage.url}/account/telemetry`);
  await entry(again, 'Kazan, Russia').waitFor();
  expect([await places('customer2'), more]).toEqual([[null, 'Kazan'], []]);

  // A day later it is noted at the sign-in, with nobody asked.
  await stage.db.query(
    `update location_consents set located_at = located_at - interval '24 hours'`,
  );
  const later = await stage.page(inKazan);
  const noted = later.waitForResponse((answer) => answer.url().endsWith('/place'));
  await stage.signIn(later, 'customer2');
  expect((await noted).status()).toBe(200);
  expect(await places('customer2')).toEqual(['Kazan', null, 'Kazan']);

  // Withdrawn, all of it goes.
  await consentOf(page).click();
  await page.getByText('The next place will be saved after').waitFor({ state: 'hidden' });
  await entry(page, 'Kazan').waitFor({ state: 'detached' });
  expect(await places('customer2')).toEqual([null, null, null]);
  expect(stage.complaints).toEqual([]);
}, 120_000);

test('who consents in a browser that refuses is told so, and signs in without a place', async () => {
  const page = await stage.page({ geolocation: KAZAN, permissions: [] });
  const bodies = sent(page);
  await stage.signIn(page, 'reseller');
  await open(page);
  await consentOf(page).click();
  await page.getByText(/This browser (?:does not tell where it is|has not been allowed)/).waitFor();
  const again = await stage.page({ geolocation: KAZAN, permissions: [] });
  const more = sent(again);
  await stage.signIn(again, 'reseller');
  await again.goto(`${stage.url}/account/telemetry`);
  await entry(again, 'Sign-in').waitFor();
  expect([await places('reseller'), bodies, more]).toEqual([[null, null], [], []]);
  expect(stage.complaints).toEqual([]);
}, 60_000);
