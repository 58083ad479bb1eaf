import { as, dated, id, sum, type Description } from './description.ts';

const ROUTES =
  'Routes in order of precedence. A message uses the first route of its type whose channel is active. If there is none, it uses the active channel with the highest priority.';

const ROUTE_CHANNEL = 'Name of the channel for messages of this type.';

export const USERS: Record<string, Description> = {
  User: as('User of an account. An account holder is its own owner.'),
  OwnerRef: as('Reference to an account or a user.'),
  'OwnerRef.id': id('Id of the user.'),
  'Owner.id': id('Id of the account holder.'),
  'User.ResellerId': id('Reseller of the account. Null if it has none.'),
  'User.level': as(
    'Access level: own account (`me`), own customers (`reseller`) or managed accounts (`manager`).',
  ),
  'User.isActive': as('False if the user cannot sign in.'),
  'User.suspension': as(
    'Reason and time of the suspension. Null if the user is active; visible to resellers and managers only.',
  ),
  'suspension.reason': as('Reason that was given.', 'The invoice of June is not paid'),
  'suspension.at': dated('Time of the suspension.'),
  'User.closedAt': dated(
    'Time at which the account was closed. Null if it is open; visible to resellers and managers only.',
  ),
  'users.find.?isClosed': as(
    'Return only closed accounts, or only open ones. If absent, closed accounts are left out, unless `OwnerId` names one.',
    'true',
  ),
  AccountClosing: as('What closing an account stops, and what it has.'),
  'AccountClosing.bulks': as('Number of bulks that stop: scheduled, running and paused ones.', 2),
  'AccountClosing.recurringSendings': as('Number of recurring sendings that pause.', 1),
  'AccountClosing.automations': as('Number of automations that pause.', 1),
  'AccountClosing.reportSchedules': as('Number of scheduled reports that pause.', 1),
  'AccountClosing.recurrentPayments': as(
    'Number of recurring payments that are removed, with their saved cards.',
    1,
  ),
  'AccountClosing.wapi': as('Number of WhatsApp instances that are not renewed any more.', 0),
  'AccountClosing.webhooks': as('Number of webhooks that are disabled.', 1),
  'AccountClosing.packages': as('Number of packages of messages that end.', 1),
  'AccountClosing.units': as('Number of units that these packages have left.', 120),
  'AccountClosing.unpaidFees': sum(
    'Fees of monthly minimums that the balance has not covered. They are waived.',
    0,
  ),
  'AccountClosing.customers': as(
    'Number of open accounts that have it as their reseller or manager. It cannot be closed before they are closed or moved.',
    0,
  ),
  CloseInput: as('Closing of an account.'),
  'CloseInput.reason': as(
    'Reason, shown to the user and to the reseller and manager of the account.',
    'The contract has ended',
  ),
  'CloseInput.settlement': as(
    'Settlement of the balance. A ledger entry with the origin `settlement` brings it to 0.',
  ),
  'settlement.balance': sum(
    'Balance that was shown. If it is another one by now, nothing is done (`conflict`).',
    100,
  ),
  'settlement.note': as(
    'How the balance was settled, for the ledger. Required unless the balance is 0.',
    'Paid out by transfer 118',
  ),
  SuspensionInput: as('Suspension of a user.'),
  'SuspensionInput.reason': as(
    'Reason, shown to the user and to the reseller and manager of the account.',
    'The invoice of June is not paid',
  ),
  isTest: as('True if the account is a trial account.'),
  $verified: as('True if the account has been verified.'),
  'User.emailConfirmedAt': dated('Time at which the e-mail address in `data` was confirmed.'),
  'User.phoneConfirmedAt': dated('Time at which the phone number in `data` was confirmed.'),
  'User.pendingEmail': as(
    'New e-mail address that awaits confirmation. Null if there is none; absent for an API token without `users.get`.',
    'new@example.com',
  ),
  'User.pendingPhone': as(
    'New phone number that awaits confirmation and then replaces the confirmed one. Null if there is none; absent for an API token without `users.get`.',
    '+79990000001',
  ),
  referralCode: as(
    'Referral code of the user, for registrations of others. Null if there is none.',
    'MIRTEA10',
  ),
  'User.data': as('Personal data of the user. Empty for an API token without `users.get`.'),
  'User.balance': sum(
    'Balance of the account. Absent for an API token without `billings.find`.',
    1000,
  ),
  'User.overdraft': sum(
    'Maximum amount by which the balance can be below zero. Absent for an API token without `billings.find`.',
    0,
  ),
  'User.settings': as('Settings of the account; only in scope `full`.', {}),
  'User.Tariffs': as('Tariffs of the account with their rules; only in scope `full`.'),
  'User.Sendernames': as('Sender names of the account; only in scope `full`.'),
  'User.RoutingGroups': as(
    'Routing groups of the account, in order of precedence; only in scope `full`.',
  ),
  'User.MessageRuleGroups': as('Rule groups of the account; only in scope `full`.'),
  GroupRef: as('Reference to a group.'),
  'GroupRef.title': as('Title of the group.', 'Tea houses'),
  RoutingGroup: as('Routing group: the channels for messages of its accounts.'),
  'RoutingGroup.title': as('Title of the group.', 'Tea houses'),
  'RoutingGroup.accounts': as('Number of accounts in the group.', 12),
  'RoutingGroup.routes': as(ROUTES),
  'RoutingGroup.routes.ChannelId': as(ROUTE_CHANNEL, 'simulator'),
  RoutingGroupInput: as('Data of a new routing group.'),
  'RoutingGroupInput.title': as('Title of the group.', 'Tea houses'),
  'RoutingGroupInput.routes': as(ROUTES, [{ type: 'sms', ChannelId: 'simulator' }]),
  'routingGroups.update.title': as('Title of the group.', 'Tea houses'),
  'routingGroups.update.routes': as(ROUTES, [{ type: 'sms', ChannelId: 'simulator' }]),
  GroupRoute: as('Route: a message type and the channel for its messages.'),
  'GroupRoute.ChannelId': as(ROUTE_CHANNEL, 'simulator'),
  'routingGroups.assign.data': as(
    'Groups of the account after the change, in order of precedence.',
  ),
  'messageRuleGroups.assign.data': as(
    'Groups of the account after the change, in order of precedence.',
  ),
  'routingGroups.assign.ids': as(
    'Routing groups of the account in order of precedence. The account is removed from all other groups.',
    ['01930000-0000-7000-8000-0000000000a1'],
  ),
  MessageRuleGroup: as(
    'Rule group: sending rules for its accounts. Where they differ from the rules of an account, the stricter rule applies.',
  ),
  'MessageRuleGroup.title': as('Title of the group.', 'Tea houses'),
  'MessageRuleGroup.accounts': as('Number of accounts in the group.', 12),
  'MessageRuleGroup.rules': as('Rules of the group.'),
  MessageRuleGroupInput: as('Data of a new rule group.'),
  'MessageRuleGroupInput.title': as('Title of the group.', 'Tea houses'),
  'MessageRuleGroupInput.rules': as('Rules of the group.'),
  'messageRuleGroups.update.title': as('Title of the group.', 'Tea houses'),
  'messageRuleGroups.update.rules': as(
    'Rules of the group. An absent rule stays as it is; null removes it.',
  ),
  MessageRules: as('Sending rules, as in the settings of an account.'),
  'MessageRules.types': as(
    'Allowed message types; types that the account itself does not allow stay forbidden. If absent, the types of the account apply.',
    ['sms', 'viber'],
  ),
  'MessageRules.sendernamesCheck': as(
    'Message types that require a registered and approved sender name, in addition to those of the account.',
    ['viber'],
  ),
  'MessageRuleGroupInput.rules.sendernamesCheck': as(
    'Message types that require a registered and approved sender name, in addition to those of the account.',
    ['viber'],
  ),
  'messageRuleGroups.update.rules.sendernamesCheck': as(
    'Message types that require a registered and approved sender name, in addition to those of the account.',
    ['viber'],
  ),
  'User.Patterns': as('Operator templates registered for the account; only in scope `full`.'),
  'User.hasSecondFactor': as(
    'True if the two-factor sign-in of the user is on. Visible to resellers and managers.',
  ),
  'User.Manager': as(
    'Manager of the account. Visible to administrators only; null if the account has no manager.',
  ),
  'User.currency': as(
    'Currency of the balance, prices and charges, ISO 4217. Absent for an API token without `billings.find`.',
    'RUB',
  ),
  balance: sum('Balance of the account.', 1000),
  overdraft: sum('Maximum amount by which the balance can be below zero.', 0),
  UserData: as('Personal data of a user.'),
  'UserData.meta': as('Acquisition source of the account.'),
  'UserUpdate.data.meta': as(
    'Acquisition source of the account. Only values that the user has are accepted.',
  ),
  'Registration.data.meta': as('Acquisition source of the account.'),
  'UserData.partnership': as('Account management data.'),
  'partnership.hasContract': as('True if the account has a contract.'),
  'partnership.ManagerId': id('Id of the manager of the account. Null if there is none.'),
  UserUpdate: as('Changes to a user. Absent fields are left unchanged.'),
  'UserUpdate.username': as(
    'New username. If it is an e-mail address, it takes effect after confirmation by e-mail.',
    'mirtea',
  ),
  'UserUpdate.password': as(
    'Password of the caller. Required to change the username, the e-mail address or a confirmed phone number.',
    'heliograph',
  ),
  'UserUpdate.data': as(
    'Personal data of the user. Absent fields are left unchanged; null clears a field.',
  ),
};
