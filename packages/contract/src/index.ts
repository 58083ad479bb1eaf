import { accountClosings } from './account-closings.ts';
import { accountChanges } from './account-changes.ts';
import { accountNotes } from './account-notes.ts';
import { messageRuleGroups, routingGroups } from './account-groups.ts';
import { routes } from './routes.ts';
import { shareShifts } from './share-shifts.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { billingOperations } from './billing-operations.ts';
import { billings } from './billings.ts';
import { brands } from './brands.ts';
import { captcha } from './captcha.ts';
import { channels } from './channels.ts';
import { channelSendernames } from './channel-sendernames.ts';
import { companies } from './companies.ts';
import { contracts } from './contracts.ts';
import { contactFields } from './contact-fields.ts';
import { contactLists } from './contact-lists.ts';
import { segments } from './segments.ts';
import { signupForms } from './signup-forms.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import { documentTemplates } from './document-templates.ts';
import { emails } from './emails.ts';
import { geocode } from './geocode.ts';
import { health } from './health.ts';
import { identities } from './identities.ts';
import { identityProviders } from './identity-providers.ts';
import { inboundRules } from './inbound-rules.ts';
import { invoices } from './invoices.ts';
import { links } from './links.ts';
import { lookups } from './lookups.ts';
import { notifications } from './notifications.ts';
import { notificationSettings } from './notification-settings.ts';
import { passkeys } from './passkeys.ts';
import { passwords } from './passwords.ts';
import { patterns } from './patterns.ts';
import { payments } from './payments.ts';
import { persons } from './persons.ts';
import { recovery } from './recovery.ts';
import { phones } from './phones.ts';
import { pushDevices } from './push-devices.ts';
import { frequencyCap } from './frequency-caps.ts';
import { emailSettings } from './email-settings.ts';
import { quietHours } from './quiet-hours.ts';
import { automations } from './automations.ts';
import { recurringSendings } from './recurring-sendings.ts';
import { recurrentPayments } from './recurrent-payments.ts';
import { referrals } from './referrals.ts';
import { registration } from './registration.ts';
import { operators } from './operators.ts';
import { otpHandler } from './otp-handler.ts';
import { otpChannels, otpTemplates, otpWidgets } from './otp-settings.ts';
import { reports } from './reports.ts';
import { requisites } from './requisites.ts';
import { reportSchedules } from './report-schedules.ts';
import { secondFactor } from './second-factor.ts';
import { sendernames } from './sendernames.ts';
import { sendings } from './sendings.ts';
import { sendingsIncoming } from './sendings-incoming.ts';
import { sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { settingsUser } from './settings-user.ts';
import { setup } from './setup.ts';
import { monthlyMinimums } from './monthly-minimums.ts';
import { spendCaps } from './spend-caps.ts';
import { storage } from './storage.ts';
import { analytics } from './analytics.ts';
import { summary } from './summary.ts';
import { systemMessages } from './system-messages.ts';
import { suppressions } from './suppressions.ts';
import { installation } from './installation.ts';
import { margins } from './margins.ts';
import { packageOffers, packages } from './message-packages.ts';
import { members } from './members.ts';
import { purchasePrices } from './purchase-prices.ts';
import { tariffs } from './tariffs.ts';
import { tasks } from './tasks.ts';
import { telemetry } from './telemetry.ts';
import { templates } from './templates.ts';
import { textGenerator } from './text-generator.ts';
import { tokens } from './tokens.ts';
import { tts } from './tts.ts';
import { users } from './users.ts';
import { hooks } from './hooks.ts';
import { integrations } from './integrations.ts';
import { wapi } from './wapi.ts';
import { webhooks } from './webhooks.ts';

export * from './account-groups.ts';
export * from './account-changes.ts';
export * from './account-closings.ts';
export * from './account-notes.ts';
export * from './routes.ts';
export * from './share-shifts.ts';
export * from './accounts.ts';
export * from './audit-actions.ts';
export * from './audit.ts';
export * from './auth.ts';
export * from './automations.ts';
export * from './billing-operations.ts';
export * from './billings.ts';
export * from './captcha.ts';
export * from './carriers.ts';
export * from './channels.ts';
export * from './channel-sendernames.ts';
export * from './client.ts';
export * from './companies.ts';
export * from './contracts.ts';
export * from './contact-fields.ts';
export * from './contact-lists.ts';
export * from './segments.ts';
export * from './signup-forms.ts';
export * from './contacts.ts';
export * from './conversations.ts';
export * from './document-templates.ts';
export * from './effects.ts';
export { MAX_EACH, MAX_EACH_CHARACTERS, type EachRecipient } from './each.ts';
export * from './emails.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './fields.ts';
export * from './geocode.ts';
export * from './health.ts';
export * from './identities.ts';
export * from './identity-providers.ts';
export * from './inbound-rules.ts';
export * from './invoices.ts';
export * from './links.ts';
export * from './list.ts';
export * from './lookups.ts';
export * from './notification-settings.ts';
export * from './notifications.ts';
export * from './operators.ts';
export * from './otp-handler.ts';
export * from './otp-settings.ts';
export * from './passkeys.ts';
export * from './passwords.ts';
export * from './patterns.ts';
export * from './payload.ts';
export * from './payments.ts';
export * from './permissions.ts';
export * from './persons.ts';
export * from './phones.ts';
export * from './push-devices.ts';
export * from './frequency-caps.ts';
export * from './email-settings.ts';
export * from './quiet-hours.ts';
export * from './rates.ts';
export * from './recovery.ts';
export * from './recurrent-payments.ts';
export * from './referrals.ts';
export * from './registration.ts';
export * from './report-presets.ts';
export * from './recurring-sendings.ts';
export * from './report-schedules.ts';
export * from './reports.ts';
export * from './requisites.ts';
export * from './resends.ts';
export * from './resources.ts';
export * from './second-factor.ts';
export * from './sendernames.ts';
export * from './sendings.ts';
export * from './sendings-incoming.ts';
export * from './sessions.ts';
export * from './settings.ts';
export * from './settings-user.ts';
export * from './setup.ts';
export * from './monthly-minimums.ts';
export * from './spend-caps.ts';
export { MAX_FILE_SIZE } from '@heliograph/domain';
export * from './brands.ts';
export * from './storage.ts';
export * from './analytics.ts';
export * from './summary.ts';
export * from './system-messages.ts';
export * from './suppressions.ts';
export * from './installation.ts';
export * from './installation-settings.ts';
export * from './margins.ts';
export * from './message-packages.ts';
export * from './members.ts';
export * from './purchase-prices.ts';
export * from './tariffs.ts';
export * from './tasks.ts';
export * from './telemetry.ts';
export * from './templates.ts';
export * from './text-generator.ts';
export * from './tokens.ts';
export * from './tts.ts';
export * from './types.ts';
export * from './users.ts';
export * from './hooks.ts';
export * from './integrations.ts';
export * from './variants.ts';
export * from './wapi.ts';
export * from './webhooks.ts';
export * from './webhook-events.ts';

/** All endpoints, by resource. */
export const contract = {
  accountChanges,
  accountClosings,
  accountNotes,
  audit,
  auth,
  automations,
  billingOperations,
  billings,
  brands,
  captcha,
  channels,
  companies,
  contactFields,
  contactLists,
  contracts,
  contacts,
  conversations,
  documentTemplates,
  emails,
  geocode,
  health,
  identities,
  identityProviders,
  inboundRules,
  invoices,
  links,
  lookups,
  messageRuleGroups,
  notificationSettings,
  notifications,
  packageOffers,
  packages,
  passkeys,
  passwords,
  patterns,
  payments,
  persons,
  phones,
  recovery,
  recurrentPayments,
  recurringSendings,
  referrals,
  registration,
  operators,
  otpChannels,
  otpHandler,
  otpTemplates,
  otpWidgets,
  reports,
  requisites,
  reportSchedules,
  routes,
  shareShifts,
  routingGroups,
  secondFactor,
  segments,
  signupForms,
  sendernames,
  sendings,
  sendingsIncoming,
  sessions,
  settings,
  settingsUser,
  setup,
  monthlyMinimums,
  spendCaps,
  storage,
  analytics,
  summary,
  systemMessages,
  quietHours,
  frequencyCap,
  emailSettings,
  pushDevices,
  suppressions,
  installation,
  margins,
  members,
  channelSendernames,
  purchasePrices,
  tariffs,
  tasks,
  telemetry,
  templates,
  textGenerator,
  tokens,
  tts,
  users,
  wapi,
  webhooks,
  hooks,
  integrations,
};
