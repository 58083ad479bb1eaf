import type { Type } from '@nestjs/common';
import { AccountNotesModule } from './features/account-notes/account-notes.module.ts';
import { AccountsModule } from './features/accounts/accounts.module.ts';
import { AnalyticsModule } from './features/analytics/analytics.module.ts';
import { AccountGroupsModule } from './features/account-groups/account-groups.module.ts';
import { Route } from './features/routes/route.entity.ts';
import { ShareShift } from './features/routes/share-shift.entity.ts';
import { RoutesModule } from './features/routes/routes.module.ts';
import { MembersModule } from './features/members/members.module.ts';
import { MessageRuleGroup, RoutingGroup } from './features/account-groups/account-group.entity.ts';
import { AutomationsModule } from './features/automations/automations.module.ts';
import { AutomationRun } from './features/automations/automation-run.entity.ts';
import { Automation } from './features/automations/automation.entity.ts';
import { AuditModule } from './features/audit/audit.module.ts';
import { IdentityProvidersModule } from './features/identity-providers/identity-providers.module.ts';
import { AuthModule } from './features/auth/auth.module.ts';
import { IdentitiesModule } from './features/auth/identities.module.ts';
import { Billing } from './features/billings/billing.entity.ts';
import { AutoRepliesModule } from './features/auto-replies/auto-replies.module.ts';
import { BillingOperationsModule } from './features/billing-operations/billing-operations.module.ts';
import { BrandsModule } from './features/brands/brands.module.ts';
import { BillingsModule } from './features/billings/billings.module.ts';
import { ContactList } from './features/contact-lists/contact-list.entity.ts';
import { ContactListsModule } from './features/contact-lists/contact-lists.module.ts';
import { Contact } from './features/contacts/contact.entity.ts';
import { Segment } from './features/segments/segment.entity.ts';
import { SignupForm } from './features/signup-forms/signup-form.entity.ts';
import { SignupFormsModule } from './features/signup-forms/signup-forms.module.ts';
import { SegmentsModule } from './features/segments/segments.module.ts';
import { ContactsModule } from './features/contacts/contacts.module.ts';
import { CompatibleModule } from './features/compatible/compatible.module.ts';
import { ConversationsModule } from './features/conversations/conversations.module.ts';
import { DocumentsModule } from './features/documents/documents.module.ts';
import { Company } from './features/documents/companies/company.entity.ts';
import { Invoice } from './features/documents/invoices/invoice.entity.ts';
import { DocumentTemplate } from './features/documents/templates/document-template.entity.ts';
import { Link } from './features/links/link.entity.ts';
import { GeocodeModule } from './features/geocode/geocode.module.ts';
import { LookupsModule } from './features/lookups/lookups.module.ts';
import { LinksModule } from './features/links/links.module.ts';
import { Sendername } from './features/sendernames/sendername.entity.ts';
import { SendernamesModule } from './features/sendernames/sendernames.module.ts';
import { Notification } from './features/notifications/notification.entity.ts';
import { NotificationSettingsModule } from './features/notification-settings/notification-settings.module.ts';
import { NotificationsModule } from './features/notifications/notifications.module.ts';
import { OtpModule } from './features/otp/otp.module.ts';
import { OtpChannel } from './features/otp/settings/otp-channel.entity.ts';
import { OtpTemplate } from './features/otp/settings/otp-template.entity.ts';
import { OtpWidget } from './features/otp/settings/otp-widget.entity.ts';
import { MessagePackage } from './features/packages/message-package.entity.ts';
import { PackageOffer } from './features/packages/package-offer.entity.ts';
import { PackagesModule } from './features/packages/packages.module.ts';
import { MonthlyMinimumsModule } from './features/monthly-minimums/monthly-minimums.module.ts';
import { Pattern } from './features/patterns/pattern.entity.ts';
import { PasswordsModule } from './features/passwords/passwords.module.ts';
import { PatternsModule } from './features/patterns/patterns.module.ts';
import { ReferralsModule } from './features/referrals/referrals.module.ts';
import { RecoveryModule } from './features/recovery/recovery.module.ts';
import { Payment } from './features/payments/payment.entity.ts';
import { PaymentsModule } from './features/payments/payments.module.ts';
import { InstallationModule } from './features/installation/installation.module.ts';
import { PhonesModule } from './features/phones/phones.module.ts';
import { RecurrentPayment } from './features/recurrent-payments/recurrent-payment.entity.ts';
import { RecurrentPaymentsModule } from './features/recurrent-payments/recurrent-payments.module.ts';
import { RegistrationModule } from './features/registration/registration.module.ts';
import { Report } from './features/reports/report.entity.ts';
import { ReportSchedule } from './features/reports/report-schedule.entity.ts';
import { RecurringSending } from './features/recurring-sendings/recurring-sending.entity.ts';
import { RecurringSendingsModule } from './features/recurring-sendings/recurring-sendings.module.ts';
import { ReportsModule } from './features/reports/reports.module.ts';
import { Contract } from './features/documents/contracts/contract.entity.ts';
import { Requisite } from './features/requisites/requisite.entity.ts';
import { InboundRule } from './features/inbound-rules/inbound-rule.entity.ts';
import { InboundRulesModule } from './features/inbound-rules/inbound-rules.module.ts';
import { PurchasePricesModule } from './features/purchase-prices/purchase-prices.module.ts';
import { RequisitesModule } from './features/requisites/requisites.module.ts';
import { SettingsModule } from './features/settings/settings.module.ts';
import { SettingsUserModule } from './features/settings-user/settings-user.module.ts';
import { StorageModule } from './features/storage/storage.module.ts';
import { StoredFile } from './features/storage/stored-file.entity.ts';
import { PushDevice } from './features/push-devices/push-device.entity.ts';
import { PushDevicesModule } from './features/push-devices/push-devices.module.ts';
import { EmailSettingsModule } from './features/email-settings/email-settings.module.ts';
import { FrequencyCapsModule } from './features/frequency-caps/frequency-caps.module.ts';
import { QuietHoursModule } from './features/quiet-hours/quiet-hours.module.ts';
import { Suppression } from './features/suppressions/suppression.entity.ts';
import { SuppressionsModule } from './features/suppressions/suppressions.module.ts';
import { SmppModule } from './features/smpp/smpp.module.ts';
import { SummaryModule } from './features/summary/summary.module.ts';
import { SystemMessage } from './features/system-messages/system-message.entity.ts';
import { SystemMessagesModule } from './features/system-messages/system-messages.module.ts';
import { Tariff } from './features/tariffs/tariff.entity.ts';
import { TariffsModule } from './features/tariffs/tariffs.module.ts';
import { TelemetryModule } from './features/telemetry/telemetry.module.ts';
import { Visit } from './features/telemetry/visit.entity.ts';
import { Template } from './features/templates/template.entity.ts';
import { TemplatesModule } from './features/templates/templates.module.ts';
import { TextGeneratorModule } from './features/text-generator/text-generator.module.ts';
import { Token } from './features/tokens/token.entity.ts';
import { ThreadsModule } from './features/threads/threads.module.ts';
import { TokensModule } from './features/tokens/tokens.module.ts';
import { TtsModule } from './features/tts/tts.module.ts';
import { User } from './features/users/user.entity.ts';
import { UsersModule } from './features/users/users.module.ts';
import { Webhook } from './features/webhooks/webhook.entity.ts';
import { Integration } from './features/integrations/integration.entity.ts';
import { IntegrationsModule } from './features/integrations/integrations.module.ts';
import { WapiInstance } from './features/wapi/wapi-instance.entity.ts';
import { WapiModule } from './features/wapi/wapi.module.ts';
import { WebhooksModule } from './features/webhooks/webhooks.module.ts';
import { CaptchaModule } from './features/captcha/captcha.module.ts';
import { ChannelsModule } from './features/channels/channels.module.ts';
import { ChannelSendername } from './features/channel-sendernames/channel-sendername.entity.ts';
import { ChannelSendernamesModule } from './features/channel-sendernames/channel-sendernames.module.ts';
import { SendingsModule } from './features/sendings/sendings.module.ts';
import { SendingsIncomingModule } from './features/sendings-incoming/sendings-incoming.module.ts';
import { TasksModule } from './features/tasks/tasks.module.ts';

/** The feature modules. What a module uses is in its own imports; the order here says nothing. */
export const FEATURES: Type[] = [
  AuditModule,
  BrandsModule,
  IdentityProvidersModule,
  AuthModule,
  TokensModule,
  WebhooksModule,
  SettingsUserModule,
  SettingsModule,
  GeocodeModule,
  TelemetryModule,
  TariffsModule,
  PatternsModule,
  ChannelsModule,
  ChannelSendernamesModule,
  AccountGroupsModule,
  InstallationModule,
  RoutesModule,
  TasksModule,
  UsersModule,
  BillingsModule,
  PackagesModule,
  MonthlyMinimumsModule,
  ReferralsModule,
  PaymentsModule,
  NotificationsModule,
  SendernamesModule,
  RegistrationModule,
  RecoveryModule,
  AccountsModule,
  AccountNotesModule,
  PasswordsModule,
  ContactListsModule,
  StorageModule,
  PurchasePricesModule,
  RequisitesModule,
  LookupsModule,
  MembersModule,
  IdentitiesModule,
  ContactsModule,
  SegmentsModule,
  DocumentsModule,
  NotificationSettingsModule,
  SystemMessagesModule,
  TemplatesModule,
  LinksModule,
  TextGeneratorModule,
  TtsModule,
  CaptchaModule,
  ConversationsModule,
  SendingsIncomingModule,
  AutoRepliesModule,
  SuppressionsModule,
  EmailSettingsModule,
  FrequencyCapsModule,
  QuietHoursModule,
  PushDevicesModule,
  BillingOperationsModule,
  RecurrentPaymentsModule,
  SendingsModule,
  ThreadsModule,
  AutomationsModule,
  InboundRulesModule,
  WapiModule,
  OtpModule,
  SignupFormsModule,
  PhonesModule,
  IntegrationsModule,
  SmppModule,
  CompatibleModule,
  SummaryModule,
  AnalyticsModule,
  ReportsModule,
  RecurringSendingsModule,
];

export const ENTITIES = [
  Billing,
  MessagePackage,
  PackageOffer,
  Payment,
  RecurrentPayment,
  Notification,
  Tariff,
  User,
  Visit,
  Sendername,
  ChannelSendername,
  ContactList,
  Contact,
  Segment,
  SignupForm,
  StoredFile,
  Template,
  Pattern,
  Route,
  ShareShift,
  RoutingGroup,
  MessageRuleGroup,
  Company,
  DocumentTemplate,
  Invoice,
  Link,
  Token,
  Report,
  Requisite,
  Contract,
  ReportSchedule,
  RecurringSending,
  Automation,
  AutomationRun,
  Webhook,
  Integration,
  InboundRule,
  SystemMessage,
  Suppression,
  PushDevice,
  WapiInstance,
  OtpWidget,
  OtpChannel,
  OtpTemplate,
];
