import type { Locator, Page } from 'playwright';

/** Chooses a sender name: an option of the list, or for a channel that takes any name the text itself. */
export async function chooseSender(scope: Page | Locator, name: string): Promise<void> {
  const field = scope.getByRole('combobox', { name: /^Sender/ }).first();
  await field.fill(name);
  const page = 'page' in scope && typeof scope.page === 'function' ? scope.page() : (scope as Page);
  await page.getByRole('option', { name, exact: true }).first().click();
}
