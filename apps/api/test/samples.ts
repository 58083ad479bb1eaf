import type { contract } from '@heliograph/contract';
import { ACCOUNTS } from './samples/accounts.ts';
import { ACTIVITY } from './samples/activity.ts';
import { BRANDS } from './samples/brands.ts';
import { CHANNELS } from './samples/channels.ts';
import { CONTACTS } from './samples/contacts.ts';
import { DOCUMENTS } from './samples/documents.ts';
import { INBOUND } from './samples/inbound.ts';
import { LOOKUPS } from './samples/lookups.ts';
import { MESSAGES } from './samples/messages.ts';
import { MONEY } from './samples/money.ts';
import { NOTIFYING } from './samples/notifying.ts';
import { OTP } from './samples/otp.ts';
import { AUTOMATIONS } from './samples/automations.ts';
import { RECURRING } from './samples/recurring.ts';
import { REPORTS } from './samples/reports.ts';
import { REQUISITES } from './samples/requisites.ts';
import type { Sample, SamplesOf } from './samples/sample.ts';
import { SECURITY } from './samples/security.ts';
import { SERVICES } from './samples/services.ts';
import { STORAGE } from './samples/storage.ts';
import { SUPPRESSIONS } from './samples/suppressions.ts';
import { TOKENS } from './samples/tokens.ts';
import { INTEGRATIONS } from './samples/integrations.ts';
import { WAPI } from './samples/wapi.ts';
import { WEBHOOKS } from './samples/webhooks.ts';
import type { Scene } from './scene.ts';

export type { Sample } from './samples/sample.ts';

/** A sample of every endpoint of the contract; a missing one does not compile. */
const SAMPLES: SamplesOf<keyof typeof contract> = {
  ...ACCOUNTS,
  ...ACTIVITY,
  ...BRANDS,
  ...CHANNELS,
  ...CONTACTS,
  ...DOCUMENTS,
  ...INBOUND,
  ...LOOKUPS,
  ...MESSAGES,
  ...MONEY,
  ...NOTIFYING,
  ...OTP,
  ...RECURRING,
  ...AUTOMATIONS,
  ...REPORTS,
  ...REQUISITES,
  ...SECURITY,
  ...SERVICES,
  ...STORAGE,
  ...SUPPRESSIONS,
  ...TOKENS,
  ...WAPI,
  ...WEBHOOKS,
  ...INTEGRATIONS,
};

export async function sampleOf(noun: string, verb: string, scene: Scene): Promise<Sample> {
  const samples = SAMPLES as Record<string, Record<string, (s: Scene) => Promise<Sample>>>;
  const sample = samples[noun]?.[verb];
  if (!sample) throw new Error(`test/samples has no sample of ${noun}.${verb}`);
  return sample(scene);
}
