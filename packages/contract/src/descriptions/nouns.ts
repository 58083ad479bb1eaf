/** Singular, plural and description of each resource, for operation summaries, responses and the list of tags. */
export const NOUNS: Record<string, { one: string; many: string; about: string }> = {
  audit: {
    one: 'audit record',
    many: 'audit records',
    about: 'Audit log of an account.',
  },
  accountChanges: {
    one: 'change of accounts',
    many: 'changes of accounts',
    about: 'Changes of many accounts at once, for resellers and managers.',
  },
  accountClosings: {
    one: 'closing of an account',
    many: 'closings of accounts',
    about: 'Closing of accounts with a settlement, and its way back, for resellers and managers.',
  },
  accountNotes: {
    one: 'note about an account',
    many: 'notes about accounts',
    about: 'Notes of those who run accounts, which the accounts do not see.',
  },
  auth: { one: 'session', many: 'sessions', about: 'Sign-in and sign-out.' },
  wapi: {
    one: 'WhatsApp instance',
    many: 'WhatsApp instances',
    about: 'Subscriptions to WhatsApp instances, from which messages of the type `wapi` are sent.',
  },
  recurrentPayments: {
    one: 'recurring payment',
    many: 'recurring payments',
    about: 'Charges of saved cards, regular or when the balance is low.',
  },
  payments: {
    one: 'payment',
    many: 'payments',
    about: 'Payments that top up balances, and their refunds.',
  },
  billingOperations: {
    one: 'bulk operation',
    many: 'bulk operations',
    about: 'Changes of many balances from a spreadsheet, for managers.',
  },
  billings: {
    one: 'ledger entry',
    many: 'ledger entries',
    about: 'Charges, refunds and manual ledger entries; the balance.',
  },
  captcha: {
    one: 'challenge',
    many: 'challenges',
    about: 'Proof-of-work challenges against automated requests.',
  },
  channels: {
    one: 'channel',
    many: 'channels',
    about:
      'Connections to carriers, for administrators; delivery reports and incoming messages from carriers.',
  },
  companies: {
    one: 'company',
    many: 'companies',
    about: 'Companies that issue contracts, invoices and acts.',
  },
  documentTemplates: {
    one: 'document template',
    many: 'document templates',
    about: 'Templates of contracts, invoices and acts, and documents made from them.',
  },
  invoices: {
    one: 'invoice',
    many: 'invoices',
    about: 'Invoices with their documents, and monthly acts.',
  },
  contactLists: {
    one: 'contact list',
    many: 'contact lists',
    about: 'Contact lists and blacklists.',
  },
  segments: {
    one: 'segment',
    many: 'segments',
    about: 'Segments: saved filters of contacts that can be used as recipients.',
  },
  signupForms: {
    one: 'sign-up form',
    many: 'sign-up forms',
    about: 'Sign-up forms: people enter themselves into a list and confirm their address.',
  },
  contacts: {
    one: 'contact',
    many: 'contacts',
    about: 'Contacts and their import from spreadsheets.',
  },
  emails: {
    one: 'e-mail address',
    many: 'e-mail addresses',
    about: 'Confirmation of e-mail addresses.',
  },
  geocode: { one: 'place', many: 'places', about: 'Country and city of coordinates.' },
  health: {
    one: 'state of the process',
    many: 'states',
    about: 'Health checks for load balancers and monitoring.',
  },
  links: {
    one: 'short link',
    many: 'short links',
    about: 'Short links and their clicks.',
  },
  messageRuleGroups: {
    one: 'rule group',
    many: 'rule groups',
    about: 'Sending rules that apply to groups of accounts.',
  },
  notifications: { one: 'notification', many: 'notifications', about: 'Notifications of a user.' },
  notificationSettings: {
    one: 'notification settings',
    many: 'notification settings',
    about: 'What a user is notified of, and where: channels, the Telegram chat and balance limits.',
  },
  patterns: {
    one: 'pattern',
    many: 'patterns',
    about: 'Templates registered by mobile operators.',
  },
  passwords: { one: 'password', many: 'passwords', about: 'Change of the own password.' },
  persons: { one: 'person', many: 'persons', about: 'Erasure of personal data.' },
  phones: { one: 'phone', many: 'phones', about: 'Confirmation of phone numbers by SMS.' },
  recovery: {
    one: 'recovery',
    many: 'recoveries',
    about: 'Recovery of forgotten passwords.',
  },
  registration: { one: 'account', many: 'accounts', about: 'Registration of accounts.' },
  setup: { one: 'administrator', many: 'administrators', about: 'First start.' },
  operators: {
    one: 'mobile network',
    many: 'mobile networks',
    about: 'Mobile networks by network code.',
  },
  routes: {
    one: 'route',
    many: 'routes',
    about: 'Which channels messages take, by type, recipient, sender name and account.',
  },
  shareShifts: {
    one: 'shift of a share',
    many: 'shifts of shares',
    about: 'How the shares of weighted routes followed the delivery of their channels, and why.',
  },
  routingGroups: {
    one: 'routing group',
    many: 'routing groups',
    about: 'Channels for the messages of groups of accounts.',
  },
  automations: {
    one: 'automation',
    many: 'automations',
    about:
      'What happens by itself to each person for whom something has happened: messages, waits and tags, step by step.',
  },
  recurringSendings: {
    one: 'recurring sending',
    many: 'recurring sendings',
    about: 'Bulks that are sent again every day, week or month.',
  },
  reportSchedules: {
    one: 'report schedule',
    many: 'report schedules',
    about: 'Reports that are made every day, week or month.',
  },
  lookups: {
    one: 'look-up',
    many: 'look-ups',
    about: 'Public data of companies and banks, to fill in requisites.',
  },
  referrals: {
    one: 'referred account',
    many: 'referred accounts',
    about: 'Accounts that registered with a referral code, and the bonuses for them.',
  },
  brands: {
    one: 'brand',
    many: 'brands',
    about:
      'How resellers appear to their customers: name, logo, colours, contacts, documents and domain.',
  },
  packageOffers: {
    one: 'offer of a package',
    many: 'offers of packages',
    about: 'Prepaid packages of messages that accounts can buy.',
  },
  packages: {
    one: 'package of messages',
    many: 'packages of messages',
    about:
      'Prepaid packages of messages: units that messages take instead of money until the package ends.',
  },
  monthlyMinimums: {
    one: 'monthly minimum',
    many: 'monthly minimums',
    about:
      'What the messages of an account cost at least in a month: the difference is charged when the month has ended.',
  },
  spendCaps: {
    one: 'spend cap',
    many: 'spend caps',
    about: 'Limits of what an account and its API tokens spend in a day and a month.',
  },
  reports: { one: 'report', many: 'reports', about: 'Reports as files, and their progress.' },
  contracts: {
    one: 'contract',
    many: 'contracts',
    about: 'Contracts of the account with the companies that serve it.',
  },
  requisites: {
    one: 'requisite',
    many: 'requisites',
    about: 'Company details for contracts and invoices.',
  },
  passkeys: {
    one: 'passkey',
    many: 'passkeys',
    about: 'Passkeys of the user, which sign in without a password.',
  },
  identityProviders: {
    one: 'identity provider',
    many: 'identity providers',
    about: 'Services of OpenID Connect that sign users in, set up by administrators.',
  },
  identities: {
    one: 'identity',
    many: 'identities',
    about: 'Accounts of the user at identity providers, which sign in without a password.',
  },
  secondFactor: {
    one: 'second factor',
    many: 'second factors',
    about: 'Two-factor sign-in of the user.',
  },
  sendernames: {
    one: 'sender name',
    many: 'sender names',
    about: 'Sender names and their moderation.',
  },
  sendings: {
    one: 'message',
    many: 'messages',
    about: 'Sending of messages, their status and delivery.',
  },
  sendingsIncoming: {
    one: 'incoming message',
    many: 'incoming messages',
    about: 'Incoming messages.',
  },
  conversations: {
    one: 'conversation',
    many: 'conversations',
    about: 'The messages of an account with each person who wrote to it, and replies.',
  },
  tokens: {
    one: 'API token',
    many: 'API tokens',
    about: 'Secrets with which programs call the API. They can be managed with a session only.',
  },
  otpWidgets: {
    one: 'widget of one-time codes',
    many: 'widgets of one-time codes',
    about: 'Widgets that confirm numbers by one-time codes, their channels and their conversion.',
  },
  otpChannels: {
    one: 'channel of one-time codes',
    many: 'channels of one-time codes',
    about: 'Settings of channels that send one-time codes.',
  },
  otpTemplates: {
    one: 'template of one-time codes',
    many: 'templates of one-time codes',
    about: 'Senders and texts of one-time codes, by conditions.',
  },
  otpHandler: {
    one: 'session of a one-time code',
    many: 'sessions of one-time codes',
    about: 'Sessions in which a number is confirmed by a one-time code.',
  },
  webhooks: {
    one: 'webhook',
    many: 'webhooks',
    about: 'URLs that are called when an event happens, and the log of their deliveries.',
  },
  integrations: {
    one: 'integration',
    many: 'integrations',
    about: 'Programs that send messages as the account, by a URL of their own.',
  },
  hooks: {
    one: 'subscription',
    many: 'subscriptions',
    about: 'REST hooks: programs subscribe a URL to an event. Each is a webhook of the account.',
  },
  sessions: {
    one: 'open session',
    many: 'open sessions',
    about: 'Open sessions of the user.',
  },
  contactFields: {
    one: 'names of contact fields',
    many: 'names of contact fields',
    about: 'What an account calls the fields `custom01` to `custom20` of its contacts.',
  },
  quietHours: {
    one: 'quiet hours',
    many: 'quiet hours',
    about: 'Hours in which messages wait, by the clock of the recipient.',
  },
  frequencyCap: {
    one: 'frequency cap',
    many: 'frequency caps',
    about: 'How many advertising messages of the account one person gets within a period.',
  },
  emailSettings: {
    one: 'settings of e-mails',
    many: 'settings of e-mails',
    about: 'Whether the account is told which of its e-mails are opened.',
  },
  inboundRules: {
    one: 'inbound rule',
    many: 'inbound rules',
    about: 'What happens to incoming messages, by keywords.',
  },
  suppressions: {
    one: 'suppressed recipient',
    many: 'suppressed recipients',
    about: 'Recipients who get no messages, because they or the account asked for it.',
  },
  pushDevices: {
    one: 'push device',
    many: 'push devices',
    about: 'Apps and browsers that get the push messages to a phone number.',
  },
  settings: { one: 'settings', many: 'settings', about: 'Settings and permissions of a session.' },
  settingsUser: {
    one: 'setting',
    many: 'settings',
    about: 'Personal settings of a user: language, time zone, theme and views of lists.',
  },
  storage: { one: 'file', many: 'files', about: 'Stored files.' },
  analytics: {
    one: 'figures',
    many: 'figures',
    about: 'Figures of messages by time, channel, operator, sender name and other properties.',
  },
  summary: { one: 'summary', many: 'summaries', about: 'Statistics of the last days.' },
  systemMessages: {
    one: 'system message',
    many: 'system messages',
    about: 'Notifications of managers to all accounts or some.',
  },
  installation: {
    one: 'installation',
    many: 'installations',
    about: 'State of the installation, for administrators.',
  },
  margins: {
    one: 'margin',
    many: 'margins',
    about: 'What messages were charged and what carriers took for them, for administrators.',
  },
  channelSendernames: {
    one: 'registered sender name',
    many: 'registered sender names',
    about: 'Sender names that are registered at the carriers of channels, for administrators.',
  },
  purchasePrices: {
    one: 'price list',
    many: 'price lists',
    about: 'Price lists of carriers, by channel, for administrators.',
  },
  tariffs: { one: 'tariff', many: 'tariffs', about: 'Tariffs and prices.' },
  tasks: {
    one: 'task',
    many: 'tasks',
    about: 'Tasks of bulks: progress, pause, resume and stop.',
  },
  telemetry: { one: 'visit', many: 'visits', about: 'Visits of the cabinet.' },
  templates: {
    one: 'template',
    many: 'templates',
    about: 'Templates of messages and their moderation.',
  },
  textGenerator: { one: 'text', many: 'texts', about: 'Text generation for messages.' },
  tts: { one: 'recording', many: 'recordings', about: 'Speech synthesis.' },
  members: {
    one: 'member',
    many: 'members',
    about: 'The team of the own account: who works in it, and with which rights.',
  },
  users: { one: 'user', many: 'users', about: 'Users and their administration.' },
};
