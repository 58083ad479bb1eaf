import type { SettingName } from '@heliograph/contract';

/** Whose label does not say enough. */
export const HINTED: readonly SettingName[] = [
  'REGISTRATION',
  'REGISTRATION_LIMIT',
  'CAPTCHA_AFTER',
  'REGISTRATION_CREDIT',
  'REGISTRATION_SENDERNAME',
  'REFERRAL_BONUS_PERCENT',
  'SMTP_URL',
  'SMTP_PASSWORD',
  'MAIL_FROM',
  'RETENTION_TEXTS_DAYS',
  'RETENTION_FILES_DAYS',
  'RETENTION_OTP_DAYS',
  'RATE_MESSAGES',
  'QUOTA_SUPPRESSIONS',
  'QUOTA_OTP',
  'RESTRICTED_MODE',
  'OFFER_URL',
];
