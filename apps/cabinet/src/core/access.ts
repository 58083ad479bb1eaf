import { can, type Permission, type Preset, type Settings } from '@heliograph/contract';

/** What a page needs. */
export interface Access {
  /** All of them. */
  can?: readonly Permission[];
  accept?: Preset;
  /** Not in an installation for individuals only. */
  isForLegalPayers?: boolean;
  /** Where the installation offers connections to other programs. */
  isIntegration?: boolean;
}

/** The one table of it: routes, menus, tabs, cards, the palette and keys read it, so that nothing leads to a refusal. */
const PAGES = {
  '/installation': { can: ['installation.get'], accept: 'managerUp' },
  '/installation/settings': { can: ['installation.update'], accept: 'managerUp' },
  '/identityProviders': { can: ['identityProviders.get'], accept: 'managerUp' },
  '/routes': { can: ['routes.get'], accept: 'managerUp' },
  '/routingGroups': { can: ['routingGroups.get'], accept: 'managerUp' },
  '/messageRuleGroups': { can: ['messageRuleGroups.get'], accept: 'managerUp' },
  '/account/profile': { can: ['users.get'] },
  '/account/password': { can: ['users.get'] },
  '/analytics': { can: ['sendings.get'] },
  '/audit': { can: ['audit.find'], accept: 'resellerUp' },
  '/account/audit': { can: ['audit.find'] },
  '/balance/billings': { can: ['billings.find'] },
  '/brand': { can: ['brands.get'], accept: 'resellerUp' },
  '/channels': { can: ['channels.get'], accept: 'managerUp' },
  '/companies': { can: ['companies.get'], accept: 'managerUp', isForLegalPayers: true },
  '/contacts': { can: ['contacts.get', 'contactLists.get'] },
  '/contacts/segments': { can: ['contactLists.get'] },
  '/contacts/forms': { can: ['signupForms.get', 'contactLists.get'] },
  '/contacts/:id': { can: ['contacts.get'] },
  '/contacts/person/:address': { can: ['contacts.get'] },
  '/messages/conversations': { can: ['sendingsIncoming.get'] },
  '/documentTemplates': {
    can: ['documentTemplates.get'],
    accept: 'managerUp',
    isForLegalPayers: true,
  },
  '/documentTemplates/create': {
    can: ['documentTemplates.create'],
    accept: 'managerUp',
    isForLegalPayers: true,
  },
  '/documentTemplates/:id': {
    can: ['documentTemplates.get'],
    accept: 'managerUp',
    isForLegalPayers: true,
  },
  '/': {},
  '/messages/incoming/rules': { can: ['inboundRules.get'] },
  '/settings/integrations': { can: ['integrations.get'], isIntegration: true },
  '/balance/invoices': { can: ['invoices.get'], isForLegalPayers: true },
  '/margins': { can: ['margins.get'], accept: 'managerUp' },
  '/notifications': { can: ['billings.find'] },
  '/patterns': { can: ['patterns.get'] },
  '/balance/payments': { can: ['payments.get'] },
  '/balance/recurrentPayments': { can: ['recurrentPayments.get'] },
  '/balance/referrals': { can: ['billings.find'] },
  '/reports': { can: ['reports.get'] },
  '/account/requisites': { can: ['requisites.get'], isForLegalPayers: true },
  '/account/requisites/create': { can: ['requisites.create'], isForLegalPayers: true },
  '/account/requisites/:id': { can: ['requisites.get'], isForLegalPayers: true },
  '/send': { can: ['sendings.generate'] },
  '/settings/sendernames': { can: ['sendernames.get'] },
  '/settings/sendernames/queue': { can: ['sendernames.moderate'], accept: 'resellerUp' },
  '/messages/incoming': { can: ['sendingsIncoming.get'] },
  '/messages/outgoing': { can: ['sendings.get'] },
  '/settings/settingsUser': { can: ['settingsUser.get'] },
  '/storage': { can: ['storage.get'] },
  '/settings/suppressions': { can: ['suppressions.get'] },
  '/survey': {},
  '/systemMessages': { can: ['systemMessages.get'], accept: 'managerUp' },
  '/tariffs': { can: ['tariffs.get'] },
  '/packageOffers': { can: ['packageOffers.update', 'packages.get'], accept: 'managerUp' },
  '/tariffCatalogue': { can: ['tariffs.update'], accept: 'resellerUp' },
  '/tariffCatalogue/create': { can: ['tariffs.create'], accept: 'resellerUp' },
  '/tariffCatalogue/:id': { can: ['tariffs.update'], accept: 'resellerUp' },
  '/messages/automations': { can: ['automations.get'] },
  '/messages/recurring': { can: ['tasks.get'] },
  '/messages/tasks': { can: ['tasks.get'] },
  '/messages/tasks/:id': { can: ['tasks.get'] },
  '/account/team': { can: ['members.get'] },
  '/account/telemetry': { can: ['telemetry.get'] },
  '/messages/templates': { can: ['templates.get'] },
  '/account/tokens': { can: ['tokens.get'] },
  '/users': { can: ['users.get'], accept: 'resellerUp' },
  '/settings/wapi': { can: ['wapi.get'] },
  '/settings/webhooks': { can: ['webhooks.get'] },
  '/widgets': { can: ['widgets.get'] },
  '/widgets/channels': { can: ['widgets.get', 'otp-settings.get'] },
  '/widgets/templates': { can: ['widgets.get', 'otp-settings.get'] },
  '/documentation': {},
  '/about': {},
} satisfies Record<string, Access>;

export type PagePath = keyof typeof PAGES;
export const PAGE_PATHS = Object.keys(PAGES) as PagePath[];
export const accessOf = (path: PagePath): Access => PAGES[path];

/** The first permission for the page that the user does not have. */
export const lackedFor = (
  { can: needed = [], accept }: Access,
  permissions: Settings['permissions'],
): Permission | undefined => needed.find((need) => !can(permissions, need, accept));

/** Whether the page exists in this installation. */
export const isOffered = (
  { isForLegalPayers, isIntegration }: Access,
  { advanced, features }: Pick<Settings, 'advanced' | 'features'>,
): boolean =>
  !(isForLegalPayers && advanced.isRestricted) && !(isIntegration && !features.integrations);

export type MayOpen = (path: PagePath) => boolean;

/** Whether the user may open a page of this installation. */
export const mayOpenWith =
  (settings: Pick<Settings, 'permissions' | 'advanced' | 'features'>): MayOpen =>
  (path) =>
    !lackedFor(accessOf(path), settings.permissions) && isOffered(accessOf(path), settings);
