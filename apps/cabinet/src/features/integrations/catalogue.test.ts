import { expect, it } from 'vitest';
import { catalogueOf, pageOf } from './catalogue.ts';

const keys = (brand: 'main' | 'alternate', search = '') =>
  catalogueOf(brand, search, ({ group }) => group).map(({ key }) => key);

it('offers all programs, and in the other brand those that are not for Russia only', () => {
  expect(keys('main')).toHaveLength(23);
  expect(keys('alternate')).toContain('zapier');
  expect(keys('alternate')).not.toContain('bitrix24');
});

it.each([
  ['битрикс', ['bitrix24', '1c-bitrix']],
  ['BITRIX24', ['bitrix24']],
  ['shop', ['insales', 'opencart', 'woocommerce']],
  ['connector zap', ['zapier']],
  ['no such program', []],
])('finds %j', (search, found) => {
  expect(keys('main', search)).toEqual(found);
});

it('opens a page of the documentation', () => {
  expect(pageOf('tilda')).toBe('/documentation/integrations/tilda');
  expect(pageOf('api')).toBe('/documentation/api/HTTP-REST');
});
