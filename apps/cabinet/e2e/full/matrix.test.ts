import type { RouteObject } from 'react-router';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, sideways, Stage } from '../stage.ts';

// Pages behind the login; those before it are named below.
const modules = import.meta.glob<Record<string, RouteObject[]>>(
  ['../../src/features/*/routes.tsx', '!../../src/features/auth/routes.tsx'],
  { eager: true },
);
const paths = Object.values(modules)
  .flatMap((routes) => Object.values(routes).flat())
  .map(({ path }) => path!.replace(/\/:\w+\?/, ''));

const LOCALES = ['ru', 'en', 'de'];
const WIDTHS = [1280, 390];
const SCHEMES = ['light', 'dark'] as const;
const ROLES = ['visitor', 'customer', 'reseller'] as const;
type Role = (typeof ROLES)[number];

interface Finding {
  role: Role;
  screen: string;
  locale: string;
  width: number;
  scheme?: string;
  what: string;
}

let stage: Stage;
const found: Finding[] = [];
const screens: Record<Role, string[]> = {
  visitor: ['/login', '/registration'],
  customer: [],
  reseller: [],
};

beforeAll(async () => {
  stage = await Stage.open();
  for (const role of ['customer', 'reseller'] as const) screens[role] = await screensOf(role);
});
afterAll(async () => {
  if (found.length) console.table(found);
  await stage.close();
});

/** Every page, and what is opened over the lists: the newest row's drawer or dialog. */
async function screensOf(username: Role): Promise<string[]> {
  const newest = async (table: string, and = '') => {
    const { rows } = await stage.db.query<{ id: string }>(
      `select id from ${table} where owner_id = (select id from users where username = $1) ${and} order by id desc limit 1`,
      [username],
    );
    return rows[0]?.id;
  };
  const list = await newest('contact_lists');
  const over: [page: string, id: string | undefined][] = [
    ['/messages/outgoing', await newest('sendings')],
    ['/messages/incoming', await newest('sendings_incoming')],
    ['/messages/tasks', await newest('tasks', 'and removed_at is null')],
    ['/messages/templates', await newest('templates')],
    ['/settings/sendernames', await newest('sendernames')],
  ];
  const pages = paths.flatMap((path) =>
    path.includes(':id') ? (list ? [path.replace(':id', list)] : []) : [path],
  );
  const opened = over.flatMap(([page, id]) => (id ? [`${page}?id=${id}`] : []));
  const asked = ['/contacts?action=create', '/settings/sendernames?create=sms'];
  const steps = ['/send?step=recipients', '/send?step=send'];
  return [...pages, '/about', '/forbidden', ...opened, ...asked, ...steps];
}

/** The page has what it waits for, or has said that it could not get it. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await page
    .locator('.mantine-Skeleton-root, [aria-busy=true]')
    .first()
    .waitFor({ state: 'detached' });
}

async function look(page: Page, note: (what: string, scheme?: string) => void, locale: string) {
  const title = await page.title();
  if (!/\S/.test(title) || /^\w+:/.test(title)) note(`title “${title}”`);
  const lang = await page.evaluate(() => document.documentElement.lang);
  if (lang !== locale) note(`lang “${lang}”`);
  const over = await sideways(page);
  if (over > 0) note(`${over} px sideways`);
  for (const [n, colorScheme] of SCHEMES.entries()) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Of what axe knows only contrast is another in another scheme.
    const rules = n === 0 ? undefined : 'color-contrast';
    for (const barrier of await barriers(page, rules)) note(barrier, colorScheme);
  }
}

const cases = ROLES.flatMap((role) =>
  LOCALES.flatMap((locale) => WIDTHS.map((width) => [role, locale, width] as const)),
);

test.each(cases)(
  'every screen in every look: %s, %s, %i wide',
  async (role, locale, width) => {
    const options = { viewport: { width, height: width > 600 ? 900 : 844 } };
    const page = await (role === 'visitor' ? stage.page(options) : stage.signedIn(role, options));
    await page.addInitScript((to) => localStorage.setItem('heliograph.locale', to), locale);
    const before = found.length;
    for (const screen of screens[role]) {
      const note = (what: string, scheme?: string) =>
        found.push({
          role,
          screen: screen.replace(/[0-9a-f-]{36}/, 'ID'),
          locale,
          width,
          scheme,
          what,
        });
      const heard = stage.complaints.length;
      await page.emulateMedia({ colorScheme: SCHEMES[0], reducedMotion: 'reduce' });
      try {
        await page.goto(stage.url + screen);
        await settled(page);
        if (/[?&](id|action|create)=/.test(screen))
          await page.getByRole('dialog').first().waitFor({ state: 'visible', timeout: 5000 });
        if (role !== 'visitor' && page.url().includes('/login')) note('not signed in');
        await look(page, note, locale);
      } catch (error) {
        note(String(error).split('\n')[0]!);
      }
      stage.complaints.slice(heard).forEach((text) => note(text));
    }
    await page.context().close();
    expect(found.slice(before)).toEqual([]);
  },
  900_000,
);
