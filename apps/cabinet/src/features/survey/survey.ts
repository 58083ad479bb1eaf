import { SURVEY_TARGETS, type Settings, type SurveyTarget } from '@heliograph/contract';

export const DEFAULT_TARGET: SurveyTarget = 'batchMailing';

const MAILINGS = ['sms', 'viber', 'whatsapp', 'telegram', 'vk', 'email', 'voice'] as const;
const DIALOGS = ['whatsapp', 'telegram', 'vk', 'instagram', 'facebook', 'ok'] as const;
/** Of an integration a program is chosen, no channel. */
const TYPES: Record<SurveyTarget, readonly string[]> = {
  batchMailing: MAILINGS,
  dialog: DIALOGS,
  integration: [],
};

/** Without integrations where the installation has none. */
export function targetsOf({ integrations }: Settings['features']): SurveyTarget[] {
  return SURVEY_TARGETS.filter((target) => integrations || target !== 'integration');
}

/** The channels of the second step, of those that the account has. */
export function typesOf(target: SurveyTarget, settings: Settings): string[] {
  return TYPES[target].filter((type) => settings.sendings.types.includes(type as never));
}

export interface Progress {
  step: 1 | 2;
  target: SurveyTarget;
}

/** The progress in local storage; invalid values start from the first step. */
export function progressOf(text: string | null, targets: SurveyTarget[]): Progress {
  try {
    const { step, target } = JSON.parse(text ?? '') as Progress;
    if (targets.includes(target)) return { step: step === 2 ? 2 : 1, target };
  } catch {
    // Nothing yet.
  }
  return { step: 1, target: DEFAULT_TARGET };
}
