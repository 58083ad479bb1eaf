import AxeBuilder from '@axe-core/playwright';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
  type Request,
} from 'playwright';
import pg from 'pg';
import { expect, onTestFailed, onTestFinished } from 'vitest';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP cabinet.test 127.0.0.1',
];

/** The URL with a host name and without TLS, as in a local network: not a secure context for a browser. */
export const insecure = (url: string): string => url.replace('127.0.0.1', 'cabinet.test');

/** The widths of a desktop and of a phone. */
export const WIDTHS = [1280, 390];
/** Both with `npm run e2e`, one with `npm test`. */
export const widths = (daily: 1280 | 390) => (process.env.JOURNEYS === 'all' ? WIDTHS : [daily]);
export const wide = (width: number) => ({
  viewport: { width, height: width > 600 ? 900 : 844 },
});

/** The first row of a list, or card in a narrow window, that contains all of these texts. */
export const entry = (page: Page, ...said: (string | RegExp)[]): Locator =>
  said
    .reduce<Locator>((rows, hasText) => rows.filter({ hasText }), page.locator('[data-row]'))
    .first();

/** The field with this label, required or not. */
export const field = (page: Page, name: string): Locator =>
  page.getByLabel(new RegExp(`^${name}( \\*)?$`));

/** Requests without an answer, by page. */
const underWay = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const open = new Set<Request>();
  underWay.set(page, open);
  page.on('request', (request) => open.add(request));
  const close = (request: Request) => void open.delete(request);
  page.on('requestfinished', close);
  page.on('requestfailed', close);
}

/** Waits until pending updates are rendered. In a page without frames the browser may call no idle callback without a timeout. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 1000 })),
        ),
      ),
  );

/** Waits until all requests are answered and rendered, and no new ones are sent. */
export async function quiet(page: Page): Promise<void> {
  const open = underWay.get(page)!;
  do {
    await expect.poll(() => [...open].map((request) => request.url())).toEqual([]);
    await drawn(page);
  } while (open.size > 0);
}

/** Every load of the page has the session. */
export const keepToken = (page: Page, token: string) =>
  page.addInitScript((to) => localStorage.setItem('heliograph.token', to), token);

/** A browser on the running product. Errors and warnings of the console are collected; a journey expects none. */
export class TestBrowser {
  readonly consoleErrors: string[] = [];
  readonly url: string;
  readonly db: pg.Pool;
  private readonly browser: Browser;
  private broken = 0;

  private constructor(browser: Browser, url: string, database: string) {
    this.browser = browser;
    this.url = url;
    this.db = new pg.Pool({ connectionString: database, max: 2 });
  }

  static async open(
    url = process.env.E2E_URL!,
    database = process.env.E2E_DATABASE_URL!,
  ): Promise<TestBrowser> {
    const browser = await chromium.launch({
      executablePath: process.env.E2E_CHROMIUM!,
      args: FLAGS,
    });
    return new TestBrowser(browser, url, database);
  }

  /** A page of the running test. */
  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.newPage(options);
    this.watch(page);
    return page;
  }

  /** A page that several tests share. Each of them watches it. */
  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    // No journey is about how long a page takes.
    page.setDefaultTimeout(30_000);
    watchRequests(page);
    page.on('console', (message) => {
      // Caused by network interfaces of the machine, not by the product.
      if (message.text().includes('ERR_NETWORK_CHANGED')) return;
      if (message.type() === 'error' || message.type() === 'warning') {
        this.consoleErrors.push(`${message.text()} ${message.location().url}`);
      }
    });
    page.on('pageerror', (error) => this.consoleErrors.push(String(error)));
    return page;
  }

  /** Within a test: saves a screenshot of the page if the test fails, and forgets the errors of the console after it. */
  watch(page: Page): void {
    // The next journey starts without errors.
    onTestFinished(() => void (this.consoleErrors.length = 0));
    onTestFailed(({ task }) =>
      this.picture(page, `${task.name} ${++this.broken}`.replaceAll(/\W+/g, '-')),
    );
  }

  async signIn(page: Page, username: string): Promise<void> {
    await page.goto(`${this.url}/login`);
    await page.getByLabel('Username', { exact: true }).fill(username);
    await page.getByLabel('Password', { exact: true }).fill('heliograph');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  }

  /** A page with a session from its first load. */
  async signedIn(username: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.page(options);
    await keepToken(page, await this.token(username));
    return page;
  }

  async token(username: string): Promise<string> {
    const answer = await this.call<{ token: string }>('POST', '/login', {
      username,
      password: 'heliograph',
    });
    return answer.token;
  }

  /** Calls the API. Throws if it refuses. */
  async call<T = Record<string, string>>(
    method: string,
    path: string,
    body?: object,
    token?: string,
  ): Promise<T> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
      body: body && JSON.stringify(body),
    });
    const json = (await answer.json()) as T;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  }

  /** Saves a screenshot if `E2E_PICTURES` is set, also after a failed journey. */
  async picture(page: Page, name: string): Promise<void> {
    if (process.env.E2E_PICTURES)
      await page.screenshot({ path: `${process.env.E2E_PICTURES}/${name}.png` });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.db.end();
  }
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Findings of axe for WCAG 2.2 A and AA, or for one rule; of the whole page, or within a selector. */
export async function barriers(page: Page, rule?: string, within?: string): Promise<string[]> {
  // "Legacy": without a second page for frames of other origins, of which there are none.
  // Of the rules without a violation it collects nothing, which takes half of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (within) axe.include(within);
  const { violations } = await (rule ? axe.withRules([rule]) : axe.withTags(TAGS)).analyze();
  return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 300)).join(', ')}`);
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await barriers(page)).toEqual([]);
}
