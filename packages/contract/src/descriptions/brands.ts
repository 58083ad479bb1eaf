import { as, id, inEach, type Description } from './description.ts';

const DOMAIN = as(
  'Host at which the cabinet has the brand before the sign-in. Stored in lower case and in ASCII. Null if there is none.',
  'sms.example.com',
);

const OWN = {
  title: as('Name of the product, in the cabinet and in e-mails.', 'Example SMS'),
  primary: as(
    'Colour of buttons and links, as `#rrggbb`. White on it has a contrast of 4.5 or more.',
    '#0f766e',
  ),
  accent: as(
    'Colour of the sun in the mark, as `#rrggbb`. On the primary colour it has a contrast of 2 or more.',
    '#ffd43b',
  ),
  email: as('E-mail address of support.', 'support@example.com'),
  phone: as('Phone number of support.', '+7 495 000-00-00'),
  chat: as('URL of the online chat of support.', 'https://chat.example.com/cabinet'),
  privacy: as('URL of the privacy policy.', 'https://example.com/privacy'),
  offer: as('URL of the public offer.', 'https://example.com/offer'),
  locale: as('Language at the domain of the brand, of those who have chosen none.'),
};
const fallingBack = Object.fromEntries(
  Object.entries(OWN).map(([name, { description, ...rest }]) => [
    name,
    { ...rest, description: `${description} Null: that of the installation.` },
  ]),
);

export const BRANDS: Record<string, Description> = {
  Brand: as('How a reseller appears to its customers.'),
  BrandInput: as('How a reseller is to appear to its customers.'),
  ...inEach(['Brand', 'BrandInput'], fallingBack),
  'BrandInput.OwnerId': id('Id of the reseller. Default: the own account.'),
  'Brand.OwnerId': id('Id of the reseller.'),
  'Brand.domain': DOMAIN,
  'Brand.logo': as(
    'Path of the logo. Null if there is none.',
    '/api/brands/logos/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  'Brand.darkLogo': as(
    'Path of the logo for the dark scheme. Null if it is the same.',
    '/api/brands/logos/60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  ),
  'Brand.installation': as('What applies instead of what is null.'),
  ...inEach(['Brand.installation'], OWN),
  'brands.get.?OwnerId': id('Id of the reseller. Default: the own account.'),
  'brands.setDomain.OwnerId': id('Id of the reseller.'),
  'brands.setDomain.domain': as(
    'Domain or its address, without a port and a path. Null removes it.',
    'sms.example.com',
  ),
  'brands.setLogo.OwnerId': id('Id of the reseller. Default: the own account.'),
  'brands.setLogo.scheme': as('Scheme of colours in which it is shown.'),
  'brands.setLogo.image': as(
    'PNG, JPEG or WebP in base64: up to 128 KiB, each side of 16 to 1024 pixels. Null removes it.',
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFElEQVR42mNoIBEwjGoY1TB8NQAAJYSAELxv8c8AAAAASUVORK5CYII=',
  ),
  'brands.logo.?hash': as(
    'SHA-256 of the picture, in hex.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
};
