export {
  daysUntil,
  latestTokenExpiry,
  MAX_TOKEN_OVERLAP_DAYS,
  TOKEN_EXPIRY_NOTICE_DAYS,
  tokenExpiryError,
} from './api-tokens.ts';
export {
  SENDING_ERRORS,
  SENDING_TYPES,
  STATUSES,
  STATUS_CODES,
  failureAdvice,
  isFinal,
  isSendingType,
  statusCode,
  statusOf,
  typeCode,
  typeOf,
} from './types.ts';
export type {
  FailureAdvice,
  SendingErrorCode,
  SendingType,
  Status,
  StoredStatus,
} from './types.ts';
export { stripInvisible } from './invisible.ts';
export { countSegments, gsmReplacement, segmentsOf } from './segments.ts';
export type { SegmentCount } from './segments.ts';
export { fitText, isWithinLimit } from './fit-text.ts';
export type { TextLimit } from './fit-text.ts';
export {
  CHARACTER_CLASSES,
  CONTACT_VARIABLES,
  MAX_VARIABLES,
  compileText,
  replaceCharacterClasses,
  VariableError,
} from './variables.ts';
export type { CharacterClass, CompiledText, ContactVariable, VariableValues } from './variables.ts';
export { MAX_EMAIL_LENGTH, normalizeEmail } from './emails.ts';
export { neutralizeCell, restoreCell } from './formulas.ts';
export { reportHeader, reportValue } from './report-texts.ts';
export type { ReportHeader, ReportValue } from './report-texts.ts';
export { formulaCodePoints, transliterate } from './transliterate.ts';
export { MAX_NAME_LENGTH, PERSON_NAME } from './names.ts';
export { maxRangeDays } from './date-range.ts';
export { addressChangeEmail, confirmationEmail, maskEmail } from './address-emails.ts';
export { recoveryEmail } from './recovery-email.ts';
export type { EmailMessage, RecoveryEmailData } from './recovery-email.ts';
export { securityEmail } from './security-emails.ts';
export type { SecurityEmailData, SecurityNoticeType } from './security-emails.ts';
export { LOCALES } from './locales.ts';
export type { Locale } from './locales.ts';
export { NOTIFICATION_TYPES, notificationText, notificationTone } from './notifications.ts';
export type { NotificationTone, NotificationType } from './notifications.ts';
export { PHONE_CODE, phoneCodeText } from './phone-code.ts';
export {
  accountCountry,
  carrierPhone,
  HOME_COUNTRY,
  normalizePhone,
  phoneCountry,
  parsePhone,
} from './phones.ts';
export type { ParsedPhone } from './phones.ts';
export { findOperator, parseOperators } from './operators.ts';
export type { Operator, OperatorTable } from './operators.ts';
export { cleanFileTitle } from './file-names.ts';
export {
  FILE_PRESETS,
  localFileError,
  MAX_FILE_SIZE,
  PRESET_RULES,
  presetError,
} from './file-presets.ts';
export type { FilePreset } from './file-presets.ts';
export { hasSingleAttachment, MEDIA_FIELDS, mediaError, mediaRule } from './media.ts';
export type { MediaField, MediaRule } from './media.ts';
export {
  compileGroups,
  DEFAULT_GROUP,
  isTemplate,
  canApproveGroup,
  TRAFFIC_GROUPS,
} from './traffic.ts';
export type { GroupQuery, GroupTemplate, TrafficGroup } from './traffic.ts';
export { canComputeExactly } from './estimates.ts';
export type { ComputedVolume } from './estimates.ts';
export { isUuid } from './recipients.ts';
export { parseContactDate, parseGender } from './contact-fields.ts';
export type { Gender } from './contact-fields.ts';
export { contactField, contactFields, isFamilyFirst } from './contact-headers.ts';
export type { ContactField } from './contact-headers.ts';
export { splitFullName } from './full-name.ts';
export type { FullName } from './full-name.ts';
export {
  addMoney,
  formatMoney,
  hasMoneyScale,
  moneyToNumber,
  multiplyMoney,
  parseMoney,
  returnableAmount,
  subtractMoney,
  transferableAmount,
} from './money.ts';
export type { Money } from './money.ts';
export {
  amountOf,
  compileTariffs,
  hasPerSecondPrice,
  isBilledBySegment,
  multiplierOf,
  segmentsForType,
  possiblePrices,
} from './pricing.ts';
export type { PossiblePrice, Price, PriceBook } from './pricing.ts';
export type { PriceQuery, Tariff, TariffCondition, TariffRule, TariffTag } from './tariff.ts';
export {
  DEFAULT_TIMEOUT_SECONDS,
  FALLBACK_STATUSES,
  MAX_FALLBACKS,
  REPLY_WINDOW_SECONDS,
  isExcepted,
  isTriggerActive,
  nextStep,
} from './fallbacks.ts';
export type {
  FallbackItem,
  FallbackPlan,
  FallbackStatus,
  NextStep,
  AttemptProgress,
  TriggerEvent,
  Trigger,
} from './fallbacks.ts';
export { canTransition, mergeReports } from './reports.ts';
export type { MergedReport, StatusReport } from './reports.ts';
export {
  MAX_STRETCH_HOURS,
  ScheduleError,
  batchSizeFor,
  delayError,
  parseSchedule,
  spread,
} from './schedule.ts';
export type { Schedule } from './schedule.ts';
export {
  attemptRefusal,
  isRestricted,
  recipientAccess,
  senderKey,
  strictestRules,
  UNCONFIRMED_MESSAGES_PER_DAY,
} from './sending-rules.ts';
export type { MessageRules, RulesRefusal, SendingRules } from './sending-rules.ts';
export { MAX_PASSWORD_LENGTH, PASSWORD_LIMITS, passwordError } from './passwords.ts';
export type { PasswordError, PasswordLimits } from './passwords.ts';
export { composeComment, isValidInn, parseComment, senderCommentErrors } from './tax-ids.ts';
export type { CommentError, SenderComment } from './tax-ids.ts';
export { isValidButtonLink, senderNameErrors } from './senders.ts';
export type { SenderNameError } from './senders.ts';
export {
  deliveryRate,
  OUTCOME_CODES,
  outcomeCode,
  outcomeOf,
  outcomeOfFailure,
  OUTCOMES,
  STOPPED,
  statusImpliesOutcome,
} from './outcomes.ts';
export type { Outcome } from './outcomes.ts';
export { BATCH_STAGES } from './batch-stages.ts';
export type { BatchStage } from './batch-stages.ts';
export { moderationTransition, isTaskRemovable, taskTransition } from './tasks.ts';
export type { Moderation, ModerationAction, TaskAction, TaskState } from './tasks.ts';
export { PROFILE_NAMES, carrierProfile } from './carrier/profile.ts';
export type { CarrierProfile, ProfileName, ProfileOptions } from './carrier/profile.ts';
export { planReports, respondToSubmit } from './carrier/simulated-carrier.ts';
export type {
  CarrierPlan,
  CarrierReply,
  CarrierReport,
  SubmittedMessage,
  SubmitResponse,
} from './carrier/simulated-carrier.ts';
export { isTestNumber, TEST_NUMBERS, TEST_NUMBER_PREFIX } from './carrier/test-numbers.ts';
export { audioSeconds, id3TagLength } from './audio.ts';
export { defaultVoice, VOICES, voicesOf } from './voices.ts';
export type { Synthesizer, Voice } from './voices.ts';
export { passwordChangedEmail } from './password-email.ts';
export { isReferralCode } from './referral-codes.ts';
export { isTimeZone, MAX_TIME_ZONE_LENGTH } from './time-zones.ts';
