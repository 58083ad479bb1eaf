import type { Permission, Preset } from '@heliograph/contract';
import type { Icon } from '@tabler/icons-react';
import type { Offer } from '../core/offered.ts';
import { BALANCE_TABS } from '../features/balance/balance-tabs.ts';
import {
  IconAudit,
  IconBan,
  IconBell,
  IconChannel,
  IconContacts,
  IconConversations,
  IconFile,
  IconInbox,
  IconIntegration,
  IconOutgoing,
  IconPattern,
  IconPhone,
  IconReport,
  IconRequisites,
  IconRoute,
  IconRules,
  IconSendername,
  IconTariff,
  IconTasks,
  IconTemplate,
  IconUsers,
  IconInvoice,
  IconWebhook,
  IconWidget,
} from '../ui/icons.ts';

export interface NavItem extends Offer {
  to: string;
  /** Key in the shell's catalogue. */
  label: string;
  icon: Icon;
  can: Permission;
  accept?: Preset;
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
    can: 'sendings.get',
  },
  {
    to: '/messages/incoming',
    label: 'shell:nav.incoming',
    icon: IconInbox,
    can: 'sendingsIncoming.get',
  },
  {
    to: '/messages/conversations',
    label: 'shell:nav.conversations',
    icon: IconConversations,
    can: 'sendingsIncoming.get',
  },
  { to: '/messages/tasks', label: 'shell:nav.tasks', icon: IconTasks, can: 'tasks.get' },
  {
    to: '/messages/templates',
    label: 'shell:nav.templates',
    icon: IconTemplate,
    can: 'templates.get',
  },
];

/**
 * The parts that the user may read. Without a permission for messages, tasks or templates there is no such page.
 * Source: the specification, section 2.
 */
export function messageParts(can: (item: Permission, accept?: Preset) => boolean): NavItem[] {
  const parts = MESSAGES.filter((item) => can(item.can, item.accept));
  return parts.some((item) => item.can !== 'sendingsIncoming.get') ? parts : [];
}

/** The menu, grouped by job. "Send" is not in it: it is the one button that is always there. */
export const NAVIGATION: NavGroup[] = [
  {
    label: 'shell:nav.messages',
    items: MESSAGES,
  },
  {
    label: 'shell:nav.audience',
    items: [
      { to: '/contacts', label: 'shell:nav.contacts', icon: IconContacts, can: 'contacts.get' },
      {
        to: '/settings/suppressions',
        label: 'shell:nav.suppressions',
        icon: IconBan,
        can: 'suppressions.get',
      },
      { to: '/storage', label: 'shell:nav.files', icon: IconFile, can: 'storage.get' },
    ],
  },
  {
    label: 'shell:nav.channels',
    items: [
      {
        to: '/settings/sendernames',
        label: 'shell:nav.sendernames',
        icon: IconSendername,
        can: 'sendernames.get',
      },
      { to: '/widgets', label: 'shell:nav.widgets', icon: IconWidget, can: 'widgets.get' },
      {
        to: '/settings/webhooks',
        label: 'shell:nav.webhooks',
        icon: IconWebhook,
        can: 'webhooks.get',
      },
      {
        to: '/settings/integrations',
        label: 'shell:nav.integrations',
        icon: IconIntegration,
        can: 'integrations.get',
        isForMainBrand: true,
      },
      {
        to: '/settings/wapi',
        label: 'shell:nav.wapi',
        icon: IconPhone,
        can: 'wapi.get',
      },
      {
        to: '/patterns',
        label: 'shell:nav.patterns',
        icon: IconPattern,
        can: 'patterns.get',
      },
    ],
  },
  {
    label: 'shell:nav.money',
    items: [
      ...BALANCE_TABS,
      { to: '/tariffs', label: 'shell:nav.tariffs', icon: IconTariff, can: 'tariffs.get' },
      { to: '/reports', label: 'shell:nav.reports', icon: IconReport, can: 'reports.get' },
    ],
  },
  {
    label: 'shell:nav.customers',
    items: [
      {
        to: '/users',
        label: 'shell:nav.users',
        icon: IconUsers,
        can: 'users.get',
        accept: 'resellerUp',
      },
      {
        to: '/audit',
        label: 'shell:nav.audit',
        icon: IconAudit,
        can: 'audit.find',
        accept: 'resellerUp',
      },
    ],
  },
  {
    label: 'shell:nav.administration',
    items: [
      {
        to: '/channels',
        label: 'shell:nav.deliveryChannels',
        icon: IconChannel,
        can: 'channels.get',
        accept: 'managerUp',
      },
      {
        to: '/routingGroups',
        label: 'shell:nav.routingGroups',
        icon: IconRoute,
        can: 'routingGroups.get',
        accept: 'managerUp',
      },
      {
        to: '/messageRuleGroups',
        label: 'shell:nav.messageRuleGroups',
        icon: IconRules,
        can: 'messageRuleGroups.get',
        accept: 'managerUp',
      },
      {
        to: '/systemMessages',
        label: 'shell:nav.systemMessages',
        icon: IconBell,
        can: 'systemMessages.get',
        accept: 'managerUp',
      },
      {
        to: '/companies',
        label: 'shell:nav.companies',
        icon: IconRequisites,
        can: 'companies.get',
        accept: 'managerUp',
        isForLegalPayers: true,
      },
      {
        to: '/documentTemplates',
        label: 'shell:nav.documentTemplates',
        icon: IconInvoice,
        can: 'documentTemplates.get',
        accept: 'managerUp',
        isForLegalPayers: true,
      },
    ],
  },
];
