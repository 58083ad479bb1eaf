import type { Icon } from '@tabler/icons-react';
import type { MayOpen, PagePath } from '../core/access.ts';
import { BALANCE_TABS } from '../features/balance/balance-tabs.ts';
import {
  IconAnalytics,
  IconAutomation,
  IconAudit,
  IconBan,
  IconBell,
  IconBrand,
  IconChannel,
  IconCoins,
  IconContacts,
  IconConversations,
  IconFile,
  IconInbox,
  IconIntegration,
  IconOutgoing,
  IconPackage,
  IconPattern,
  IconPhone,
  IconRepeat,
  IconReport,
  IconRequisites,
  IconRoute,
  IconServer,
  IconRules,
  IconSendername,
  IconTariff,
  IconTasks,
  IconTemplate,
  IconUsers,
  IconInvoice,
  IconLogin,
  IconWebhook,
  IconWidget,
} from '../ui/icons.ts';

export interface NavItem {
  to: PagePath;
  /** Key in the shell's catalogue. */
  label: string;
  icon: Icon;
}

export interface NavGroup {
  label: string;
  items: NavItem[];
}

/** The parts of the messages' page, in the order of its tabs. */
export const MESSAGES: NavItem[] = [
  {
    to: '/messages/outgoing',
    label: 'shell:nav.outgoing',
    icon: IconOutgoing,
  },
  {
    to: '/messages/incoming',
    label: 'shell:nav.incoming',
    icon: IconInbox,
  },
  {
    to: '/messages/conversations',
    label: 'shell:nav.conversations',
    icon: IconConversations,
  },
  { to: '/messages/tasks', label: 'shell:nav.tasks', icon: IconTasks },
  { to: '/messages/recurring', label: 'shell:nav.recurring', icon: IconRepeat },
  { to: '/messages/automations', label: 'shell:nav.automations', icon: IconAutomation },
  {
    to: '/messages/templates',
    label: 'shell:nav.templates',
    icon: IconTemplate,
  },
];

/** Parts for which alone there is no page of messages. */
const NO_REASON = new Set<PagePath>(['/messages/incoming', '/messages/conversations']);

/**
 * The parts that the user may read. Without a permission for messages, tasks or templates there is no such page.
 * Source: the specification, section 2.
 */
export function messageParts(mayOpen: MayOpen): NavItem[] {
  const parts = MESSAGES.filter(({ to }) => mayOpen(to));
  return parts.some(({ to }) => !NO_REASON.has(to)) ? parts : [];
}

/** The menu, grouped by job. "Send" is not in it: it is the one button that is always there. */
export const NAVIGATION: NavGroup[] = [
  {
    label: 'shell:nav.messages',
    items: MESSAGES,
  },
  {
    label: 'shell:nav.customers',
    items: [
      {
        to: '/users',
        label: 'shell:nav.users',
        icon: IconUsers,
      },
      {
        to: '/audit',
        label: 'shell:nav.audit',
        icon: IconAudit,
      },
      {
        to: '/brand',
        label: 'shell:nav.brand',
        icon: IconBrand,
      },
    ],
  },
  {
    label: 'shell:nav.administration',
    items: [
      {
        to: '/installation',
        label: 'shell:nav.installation',
        icon: IconServer,
      },
      {
        to: '/channels',
        label: 'shell:nav.deliveryChannels',
        icon: IconChannel,
      },
      {
        to: '/tariffCatalogue',
        label: 'shell:nav.tariffCatalogue',
        icon: IconTariff,
      },
      {
        to: '/packageOffers',
        label: 'shell:nav.packageOffers',
        icon: IconPackage,
      },
      {
        to: '/routes',
        label: 'shell:nav.routes',
        icon: IconRoute,
      },
      {
        to: '/routingGroups',
        label: 'shell:nav.routingGroups',
        icon: IconRoute,
      },
      {
        to: '/messageRuleGroups',
        label: 'shell:nav.messageRuleGroups',
        icon: IconRules,
      },
      {
        to: '/identityProviders',
        label: 'shell:nav.identityProviders',
        icon: IconLogin,
      },
      {
        to: '/systemMessages',
        label: 'shell:nav.systemMessages',
        icon: IconBell,
      },
      {
        to: '/companies',
        label: 'shell:nav.companies',
        icon: IconRequisites,
      },
      {
        to: '/documentTemplates',
        label: 'shell:nav.documentTemplates',
        icon: IconInvoice,
      },
    ],
  },
  {
    label: 'shell:nav.audience',
    items: [
      { to: '/contacts', label: 'shell:nav.contacts', icon: IconContacts },
      {
        to: '/settings/suppressions',
        label: 'shell:nav.suppressions',
        icon: IconBan,
      },
      { to: '/storage', label: 'shell:nav.files', icon: IconFile },
    ],
  },
  {
    label: 'shell:nav.channels',
    items: [
      {
        to: '/settings/sendernames',
        label: 'shell:nav.sendernames',
        icon: IconSendername,
      },
      { to: '/widgets', label: 'shell:nav.widgets', icon: IconWidget },
      {
        to: '/settings/webhooks',
        label: 'shell:nav.webhooks',
        icon: IconWebhook,
      },
      {
        to: '/settings/integrations',
        label: 'shell:nav.integrations',
        icon: IconIntegration,
      },
      {
        to: '/settings/wapi',
        label: 'shell:nav.wapi',
        icon: IconPhone,
      },
      {
        to: '/patterns',
        label: 'shell:nav.patterns',
        icon: IconPattern,
      },
    ],
  },
  {
    label: 'shell:nav.money',
    items: [
      ...BALANCE_TABS,
      { to: '/tariffs', label: 'shell:nav.tariffs', icon: IconTariff },
      { to: '/analytics', label: 'shell:nav.analytics', icon: IconAnalytics },
      { to: '/margins', label: 'shell:nav.margins', icon: IconCoins },
      { to: '/reports', label: 'shell:nav.reports', icon: IconReport },
    ],
  },
];

/** The menu with what the user may open. */
export const menuOf = (mayOpen: MayOpen): NavGroup[] =>
  NAVIGATION.map((group) => ({
    ...group,
    items:
      group.items === MESSAGES
        ? messageParts(mayOpen)
        : group.items.filter(({ to }) => mayOpen(to)),
  })).filter(({ items }) => items.length > 0);
