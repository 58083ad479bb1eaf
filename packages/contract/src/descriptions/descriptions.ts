import type { Description } from './description.ts';
import { ACCOUNTS } from './accounts.ts';
import { BILLINGS } from './billings.ts';
import { CHANNEL_WATCH } from './channel-watch.ts';
import { CHANNEL_SENDERNAMES } from './channel-sendernames.ts';
import { CHANNELS } from './channels.ts';
import { COMMON } from './common.ts';
import { CONTACTS } from './contacts.ts';
import { CONVERSATIONS } from './conversations.ts';
import { IDENTITIES } from './identities.ts';
import { AUTOMATIONS } from './automations.ts';
import { INBOUND_RULES } from './inbound-rules.ts';
import { INSTALLATION } from './installation.ts';
import { INTEGRATIONS } from './integrations.ts';
import { INVOICES } from './invoices.ts';
import { MEMBERS } from './members.ts';
import { MESSAGE_PACKAGES } from './message-packages.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { OTP } from './otp.ts';
import { PAYMENTS } from './payments.ts';
import { PURCHASE_PRICES } from './purchase-prices.ts';
import { RECURRING_SENDINGS } from './recurring-sendings.ts';
import { REPORTS } from './reports.ts';
import { REQUISITES } from './requisites.ts';
import { ROUTES } from './routes.ts';
import { SENDINGS } from './sendings.ts';
import { SESSIONS } from './sessions.ts';
import { BRANDS } from './brands.ts';
import { SETTINGS } from './settings.ts';
import { SETTINGS_USER } from './settings-user.ts';
import { STORAGE } from './storage.ts';
import { TARIFFS } from './tariffs.ts';
import { TASKS } from './tasks.ts';
import { TEMPLATES } from './templates.ts';
import { TOKENS } from './tokens.ts';
import { USERS } from './users.ts';
import { WEBHOOKS } from './webhooks.ts';

export {
  CODE_ERRORS,
  CODES,
  FAILURE_CURES,
  RULES,
  type Explanation,
  type FieldRule,
} from './errors.ts';
export { EXAMPLES, type Examples } from './examples.ts';
export { NOUNS } from './nouns.ts';
export { RESPONSES } from './responses.ts';

/**
 * Descriptions and examples of fields and parameters, for the documents that the server generates from the contract
 * (`/api/openapi.json`, `/api/asyncapi.json`). Only the server imports this file, so browsers do not load it.
 *
 * A key is the name of a field, preceded by as much of its path as distinguishes it from other fields of that name: `amount`,
 * `Billing.amount`, `counters.total`. The path begins with the name of a schema (`Sending`) or an operation (`tts.generate`).
 * The longest matching key applies. Parameters have a question mark before their name: `?status`, `billings.find.?status`.
 * Fields with `.describe` in their schema need an entry only for an example.
 */
export const DESCRIPTIONS: Record<string, Description> = merge([
  COMMON,
  SESSIONS,
  IDENTITIES,
  USERS,
  ACCOUNTS,
  MEMBERS,
  CONTACTS,
  SENDINGS,
  CONVERSATIONS,
  TASKS,
  REQUISITES,
  INVOICES,
  TOKENS,
  AUTOMATIONS,
  INBOUND_RULES,
  INSTALLATION,
  OTP,
  WEBHOOKS,
  INTEGRATIONS,
  TEMPLATES,
  BILLINGS,
  MESSAGE_PACKAGES,
  PAYMENTS,
  TARIFFS,
  PURCHASE_PRICES,
  SETTINGS_USER,
  RECURRING_SENDINGS,
  REPORTS,
  STORAGE,
  NOTIFICATIONS,
  BRANDS,
  SETTINGS,
  CHANNELS,
  CHANNEL_SENDERNAMES,
  ROUTES,
  CHANNEL_WATCH,
]);

/** One table. A key that two parts have would depend on their order. */
function merge(parts: Record<string, Description>[]): Record<string, Description> {
  const entries = parts.flatMap((part) => Object.entries(part));
  const table = Object.fromEntries(entries);
  if (Object.keys(table).length < entries.length)
    throw new Error('Two parts of the descriptions have the same key');
  return table;
}
