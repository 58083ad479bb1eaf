import { Automation } from './automations.ts';
import { Billing } from './billings.ts';
import { Contact } from './contacts.ts';
import { ContactList } from './contact-lists.ts';
import { Conversation } from './conversations.ts';
import { InboundRule } from './inbound-rules.ts';
import { Invoice } from './invoices.ts';
import { Link } from './links.ts';
import { Pattern } from './patterns.ts';
import { Payment } from './payments.ts';
import { RecurrentPayment } from './recurrent-payments.ts';
import { Segment } from './segments.ts';
import { Sending } from './sendings.ts';
import { SendingIncoming } from './sendings-incoming.ts';
import { Report } from './reports.ts';
import { RecurringSending } from './recurring-sendings.ts';
import { ReportSchedule } from './report-schedules.ts';
import { Contract } from './contracts.ts';
import { Requisite } from './requisites.ts';
import { Sendername } from './sendernames.ts';
import { Suppression } from './suppressions.ts';
import { Tariff } from './tariffs.ts';
import { Task } from './tasks.ts';
import { Visit } from './telemetry.ts';
import { TemplateRow } from './templates.ts';
import { StoredFile } from './storage.ts';
import { Token } from './tokens.ts';
import { User } from './users.ts';
import { Integration } from './integrations.ts';
import { WapiInstance } from './wapi.ts';
import { Webhook } from './webhooks.ts';

/**
 * The resources whose changes are socket events, with the schemas of their entities. Events go to the rooms of the row's owner and of its
 * reseller and manager. So companies and their document templates are not here, and clients poll them: those without an owner
 * concern every account, and those of a reseller all of its customers, who would get nothing.
 */
export const RESOURCES = {
  sendings: Sending,
  sendingsIncoming: SendingIncoming,
  conversations: Conversation,
  tasks: Task,
  templates: TemplateRow,
  patterns: Pattern,
  sendernames: Sendername,
  contactLists: ContactList,
  segments: Segment,
  contacts: Contact,
  storage: StoredFile,
  reports: Report,
  reportSchedules: ReportSchedule,
  recurringSendings: RecurringSending,
  automations: Automation,
  requisites: Requisite,
  contracts: Contract,
  billings: Billing,
  payments: Payment,
  invoices: Invoice,
  recurrentPayments: RecurrentPayment,
  links: Link,
  inboundRules: InboundRule,
  suppressions: Suppression,
  tariffs: Tariff,
  telemetry: Visit,
  tokens: Token,
  users: User,
  wapi: WapiInstance,
  webhooks: Webhook,
  integrations: Integration,
};
