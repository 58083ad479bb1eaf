export { TestBrowser as Stage } from './test-browser.ts';
export * from './test-browser.ts';
