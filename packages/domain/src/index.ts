export {
  ACCOUNT_FILE_FIELDS,
  ACCOUNT_FILE_REASONS,
  accountFileColumns,
  accountFileField,
  parseAccountFileRow,
} from './account-change-files.ts';
export type {
  AccountFileColumns,
  AccountFileError,
  AccountFileField,
  AccountFileReason,
  AccountFileRow,
  AccountFileValues,
} from './account-change-files.ts';
export { placeText, type KnownPlace } from './places.ts';
export {
  latestTokenExpiry,
  MAX_TOKEN_OVERLAP_DAYS,
  TOKEN_EXPIRY_NOTICE_DAYS,
  tokenExpiryError,
} from './api-tokens.ts';
export {
  PACKAGE_TYPES,
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
  PackageType,
  SendingErrorCode,
  SendingType,
  Status,
  StoredStatus,
} from './types.ts';
export {
  CERTIFICATE_STAGES,
  certificateStage,
  type CertificateFacts,
  type CertificateStage,
} from './certificates.ts';
export { DURATION_STEPS, durationStep, durationWithin } from './durations.ts';
export { channelPause } from './channel-breaker.ts';
export {
  afterUse,
  allowance,
  isLimited,
  partsOf,
  segmentsAtOnce,
  UNUSED,
  usedOn,
  waitForMore,
  type ChannelLimits,
  type ChannelUse,
  atRate,
  isInUse,
} from './channel-rate.ts';
export {
  LimitedCall,
  limitKey,
  limitsOfMessage,
  MAX_MESSAGE_LIMITS,
  type LimitedMessage,
  type MessageLimit,
} from './channel-limits.ts';
export { composeText } from './compose-text.ts';
export { foldText, hasWords } from './fold-text.ts';
export { cleanName, isBlank, stripInvisible } from './invisible.ts';
export { isUsernameTooLong, MAX_NEW_USERNAME } from './usernames.ts';
export { printedText, unprintable, unprintableMessage } from './printed-text.ts';
export {
  countSegments,
  GSM_BASIC,
  GSM_EXTENSION,
  gsmReplacement,
  segmentsOf,
  splitSegments,
} from './segments.ts';
export type { SegmentCount } from './segments.ts';
export { cutText } from './cut-text.ts';
export { fitText, isWithinLimit } from './fit-text.ts';
export type { TextLimit } from './fit-text.ts';
export {
  CHARACTER_CLASSES,
  CONTACT_VARIABLES,
  UNSUBSCRIBE_VARIABLE,
  compileText,
  isVariableName,
  MAX_VARIABLE_LENGTH,
  MAX_VARIABLES,
  replaceCharacterClasses,
  VariableError,
} from './variables.ts';
export { isPreview } from './link-previews.ts';
export {
  BASE62,
  CLICK_CODE,
  CLICK_CODE_COST,
  compileClickCodes,
  EXAMPLE_CLICK_CODE,
  MAX_CLICK_NUMBER,
  putClickCodes,
  readClickCode,
  shortLinksIn,
  withoutClickCode,
  writeClickCode,
} from './click-codes.ts';
export { compileContent, needsText, TYPES_WITHOUT_TEXT } from './message-content.ts';
export type { CompiledContent, MessageParts, MessageTexts } from './message-content.ts';
export { shownValues } from './shown-values.ts';
export type {
  AllowedVariables,
  CharacterClass,
  CompiledText,
  ContactVariable,
  VariableValues,
  WriteValue,
} from './variables.ts';
export { MAX_EMAIL_LENGTH, normalizeEmail } from './emails.ts';
export { neutralizeCell, restoreCell } from './formulas.ts';
export { reportHeader } from './report-headers.ts';
export type { ReportHeader } from './report-headers.ts';
export { reportValue } from './report-values.ts';
export type { ReportValue } from './report-values.ts';
export { startsFormula, transliterate } from './transliterate.ts';
export { MAX_NAME_LENGTH, PERSON_NAME } from './names.ts';
export { maxRangeDays } from './date-range.ts';
export { addressChangeEmail, confirmationEmail, maskEmail } from './address-emails.ts';
export { daysBefore, nextReportRun, reportPeriod, type ReportTiming } from './report-periods.ts';
export {
  anniversariesOn,
  anniversariesWithin,
  dayIn,
  shiftDay,
  numberSteps,
  stepAfter,
  WAIT_UNITS,
  waitEnd,
  type NumberedStep,
  type WaitUnit,
} from './automations.ts';
export {
  nextOccurrence,
  nextOccurrences,
  REPEAT_FREQUENCIES,
  type Recurrence,
  type RepeatFrequency,
} from './recurrences.ts';
export { reportEmail, type ReportEmailData } from './report-email.ts';
export { recoveryEmail } from './recovery-email.ts';
export { isTariffValue } from './tariff-values.ts';
export { invitationEmail } from './invitation-email.ts';
export { testEmail } from './test-email.ts';
export type { EmailMessage, RecoveryEmailData } from './recovery-email.ts';
export { securityEmail } from './security-emails.ts';
export type { SecurityEmailData, SecurityNotificationType } from './security-emails.ts';
export { isLocale, localeOfLanguage, LOCALES } from './locales.ts';
export type { Locale } from './locales.ts';
export { LANGUAGE_TAG, MAX_LANGUAGE_TAG, translated, translationFor } from './translations.ts';
export {
  filledLines,
  isWritten,
  namesCurrency,
  NOTIFICATION_TYPES,
  notificationPlace,
  notificationText,
  notificationValues,
  notificationTone,
  writtenTitle,
} from './notifications.ts';
export type { NotificationTone, NotificationType } from './notifications.ts';
export { PHONE_CODE, phoneCodeText } from './phone-code.ts';
export {
  accountCountry,
  carrierPhone,
  HOME_COUNTRY,
  normalizePhone,
  phoneCountry,
  parsePhone,
  readPhones,
} from './phones.ts';
export type { ParsedPhone, PhoneReading } from './phones.ts';
export { findOperator, parseOperators } from './operators.ts';
export type { Operator, OperatorTable } from './operators.ts';
export {
  coveredEntries,
  OPERATION_FIELDS,
  OPERATION_REASONS,
  operationField,
  parseOperationAmount,
  uncoveredReason,
} from './bulk-operations.ts';
export type { OperationField, OperationReason } from './bulk-operations.ts';
export {
  operationOutcome,
  operationReason,
  operationReportHeaders,
} from './bulk-operation-texts.ts';
export { cleanFileTitle } from './file-names.ts';
export {
  FILE_PRESETS,
  localFileError,
  MAX_FILE_SIZE,
  PRESET_RULES,
  presetError,
} from './file-presets.ts';
export type { FilePreset } from './file-presets.ts';
export { captionLimit, hasSingleAttachment, MEDIA_FIELDS, mediaError, mediaRule } from './media.ts';
export type { MediaField, MediaRule } from './media.ts';
export {
  compileGroups,
  compileMatches,
  DEFAULT_GROUP,
  isTemplate,
  canApproveGroup,
  TRAFFIC_GROUPS,
} from './traffic.ts';
export type { GroupQuery, GroupTemplate, TrafficGroup } from './traffic.ts';
export { canComputeExactly, MAX_ESTIMATED } from './estimates.ts';
export { eventSteps } from './event-steps.ts';
export type { EventCounts, EventSteps } from './event-steps.ts';
export type { ComputedVolume } from './estimates.ts';
export { isUuid } from './recipients.ts';
export { distinctTags, MAX_TAG_LENGTH, MAX_TAGS, tagsCell, tagsOf } from './tags.ts';
export { dateOrderIn, dateOrderOf, parseContactDate, parseGender } from './contact-fields.ts';
export type { DateOrder, Gender } from './contact-fields.ts';
export { FIELD_TYPES, fieldValue, parseBoolean, plainDecimal } from './field-types.ts';
export type { FieldType, TypedField } from './field-types.ts';
export { ContactFile, type FileContact } from './contact-file.ts';
export { columnsOfField, contactField, contactFields, isFamilyFirst } from './contact-headers.ts';
export type { ContactField } from './contact-headers.ts';
export { isOrganisation, splitFullName } from './full-name.ts';
export type { FullName } from './full-name.ts';
export {
  addMoney,
  formatMoney,
  hasCents,
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
  callSeconds,
  isSameIntervals,
  MAX_CALL_INTERVAL,
  MAX_CALL_SECONDS,
  priceOfCall,
  secondsOfCall,
} from './call-lengths.ts';
export type { ReservedCall } from './call-lengths.ts';
export {
  amountOf,
  compileTariffs,
  hasPerSecondPrice,
  isBilledBySegment,
  multiplierOf,
  segmentsForType,
  possiblePrices,
  withFloor,
} from './pricing.ts';
export type { PossiblePrice, Price, PriceBook } from './pricing.ts';
export {
  areRising,
  hasVolume,
  MAX_VOLUME_STEPS,
  priceAfterStep,
  volumeStep,
} from './volume-steps.ts';
export type { StepInForce, VolumeStep } from './volume-steps.ts';
export {
  applyPriceList,
  parsePriceRow,
  priceChanges,
  priceListField,
  repeatedRows,
  PRICE_LIST_FIELDS,
  PRICE_LIST_REASONS,
} from './price-list.ts';
export type { ListedPrice, PriceListField, PriceListReason } from './price-list.ts';
export { isCountry } from './countries.ts';
export { CURRENCIES, isCurrency } from './currencies.ts';
export { decimalMarkOf } from './price-cells.ts';
export type { DecimalMark } from './price-cells.ts';
export type {
  CallIntervals,
  PriceQuery,
  Tariff,
  TariffCondition,
  TariffRule,
  TariffTag,
} from './tariff.ts';
export {
  DEFAULT_TIMEOUT_SECONDS,
  FALLBACK_STATUSES,
  MAX_FALLBACKS,
  REPLY_WINDOW_SECONDS,
  endsTimer,
  isTriggerActive,
  typesByFailure,
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
export { mergePart, mergeParts } from './parts.ts';
export { canTransition, mergeReports, wordsOf } from './reports.ts';
export type { MergedReport, StatusReport } from './reports.ts';
export {
  batchSizeFor,
  delayError,
  MAX_STRETCH_HOURS,
  MAX_VALID_SECONDS,
  MIN_VALID_SECONDS,
  parseSchedule,
  ScheduleError,
  spread,
  validUntilOf,
} from './schedule.ts';
export type { Schedule } from './schedule.ts';
export {
  attemptRefusal,
  isRestricted,
  recipientAccess,
  approvedSpelling,
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
export {
  CAPPED_GROUP,
  capStart,
  countsForCap,
  MAX_CAP_DAYS,
  MAX_CAP_MESSAGES,
} from './frequency-caps.ts';
export type { FrequencyCap } from './frequency-caps.ts';
export {
  CoveredSum,
  PACKAGE_NOTICE_DAYS,
  packageTest,
  PackageUnits,
  usedShare,
} from './message-packages.ts';
export type { OpenPackage, PackageMessage } from './message-packages.ts';
export {
  DAY_MINUTES,
  MAX_QUIET_MINUTES,
  quietMinutes,
  quietUntil,
  waitsInQuietHours,
  zonesOf,
} from './quiet-hours.ts';
export type { QuietHours, QuietUntil } from './quiet-hours.ts';
export { NO_COUNTRIES, parseQuietItem, quietCountries } from './country-quiet-hours.ts';
export type { CountryQuietHours, QuietCountries } from './country-quiet-hours.ts';
export {
  isSpike,
  isSuppressible,
  MAX_CONFIRMATION,
  MAX_OPT_OUT_WORD,
  MAX_OPT_OUT_WORDS,
  optOutOf,
  optOutWord,
  OWN_REASONS,
  respectsOptOut,
  SPIKE_DAYS,
  SPIKE_MIN,
  START_CONFIRMATION,
  START_WORDS,
  STOP_CONFIRMATION,
  STOP_WORDS,
  SUPPRESSION_REASONS,
  exampleUnsubscribeLink,
  unsubscribeLink,
} from './opt-outs.ts';
export type { OptOutWords, SuppressionReason } from './opt-outs.ts';
export {
  createInboundMatcher,
  DEFAULT_REPLY_MINUTES,
  INBOUND_ACTIONS,
  INBOUND_HOLDS,
  INBOUND_MODES,
  inboundHold,
  isKeyword,
  isPersonAddress,
  MAX_INBOUND_KEYWORD,
  MAX_INBOUND_KEYWORDS,
  MAX_INBOUND_REPLY,
  MAX_INBOUND_RULES,
  MAX_REPLY_MINUTES,
  replyHold,
} from './inbound-rules.ts';
export type {
  InboundAction,
  InboundCondition,
  InboundHold,
  InboundMessage,
  InboundMode,
  ReplyFacts,
} from './inbound-rules.ts';
export { BATCH_STAGES } from './batch-stages.ts';
export type { BatchStage } from './batch-stages.ts';
export { bonusToReturn, referralBonus } from './referral-bonuses.ts';
export {
  emptyReason,
  moderationTransition,
  isTaskRemovable,
  isTaskSteerable,
  taskTransition,
} from './tasks.ts';
export type { Moderation, ModerationAction, TaskAction, TaskState, TaskType } from './tasks.ts';
export { carrierFailure } from './carrier-failures.ts';
export type { CarrierFailure, SaidFailure } from './carrier-failures.ts';
export type { CarrierReply, CarrierReport } from './carrier-reports.ts';
export { numberLookup, type NumberLookup, type SaidLookup } from './number-lookups.ts';
export { isTestNumber, TEST_NUMBER_PREFIX } from './test-numbers.ts';
export {
  MAX_MARKDOWN_LENGTH,
  TEXT_FORMATS,
  writeInMarkdown,
  type TextFormat,
} from './text-format.ts';
export { audioSeconds, id3TagLength } from './audio.ts';
export { defaultVoice, VOICES, voicesOf } from './voices.ts';
export type { Synthesizer, Voice } from './voices.ts';
export { passwordChangedEmail } from './password-email.ts';
export { isReferralCode } from './referral-codes.ts';
export { isSamePerson, mailboxOf, maskName } from './same-person.ts';
export { isTimeZone, MAX_TIME_ZONE_LENGTH } from './time-zones.ts';
export {
  isValidOgrn,
  isValidOkpo,
  ORGANIZATION_FORMS,
  organizationKind,
  requisiteErrors,
} from './requisites.ts';
export type {
  LegalNumbers,
  OrganizationKind,
  RequisiteError,
  RequisiteRule,
} from './requisites.ts';
export { withControlDigit } from './bank-accounts.ts';
export type { BankNumbers, BankRule } from './bank-accounts.ts';
export {
  basisGenitive,
  fullNameGenitive,
  positionGenitive,
  shortName,
  SIGNING_BASES,
} from './genitive.ts';
export {
  commissionOf,
  CREDITED_STATUSES,
  PAYMENT_STATUSES,
  paymentTransition,
  querySeconds,
} from './payments.ts';
export type { PaymentEvent, PaymentStatus } from './payments.ts';
export {
  canReInit,
  CHARGE_RETRY_SECONDS,
  FREQUENCIES,
  MAX_FAILED_CHARGES,
  nextChargeAt,
  RECURRENT_STATUSES,
  RECURRENT_TYPES,
  recurrentTransition,
} from './recurrent-payments.ts';
export type {
  Frequency,
  RecurrentAction,
  RecurrentStatus,
  RecurrentType,
} from './recurrent-payments.ts';
export {
  canAdvanceWapi,
  nextWapiPeriod,
  WAPI_GRACE_SECONDS,
  WAPI_PROBLEMS,
  WAPI_QR_SECONDS,
  WAPI_QR_WATCH_SECONDS,
  WAPI_RETRY_SECONDS,
  WAPI_STATES,
  wapiRemovalAt,
  wapiTransition,
} from './wapi.ts';
export type { WapiEvent, WapiPeriod, WapiProblem, WapiState } from './wapi.ts';
export { amountInWords } from './amount-in-words.ts';
export { hasVat, TAX_SYSTEMS, toKopecks, vatContained, vatRate } from './vat.ts';
export type { TaxSystem } from './vat.ts';
export { MAX_QR_BYTES, paymentQr } from './payment-qr.ts';
export type { PaymentQr } from './payment-qr.ts';
export {
  INVOICE_STATUSES,
  INVOICE_TYPES,
  invoiceNumber,
  invoiceTransition,
  NUMBER_PREFIX,
} from './invoices.ts';
export type { InvoiceAction, InvoiceStatus, InvoiceType } from './invoices.ts';
export {
  BLOCK_KINDS,
  DOCUMENT_TYPES,
  KINDS_OF_TYPE,
  MAX_BLOCK_TEXT_LENGTH,
  MAX_TEMPLATE_BLOCKS,
  renderTemplate,
  TEMPLATE_VARIABLES,
  templateErrors,
  TEXT_BLOCKS,
} from './document-templates.ts';
export type {
  BlockKind,
  DocumentType,
  TemplateBlock,
  TemplateError,
  TemplateValues,
  TemplateVariable,
} from './document-templates.ts';
export { DEFAULT_TEMPLATES } from './default-templates.ts';
export { DELIVERY_BOUNDS, deliverySeconds } from './delivery-times.ts';
export { documentValues, paymentPurpose, printedAmount } from './document-facts.ts';
export type { DocumentFacts, DocumentSum, PartyFacts } from './document-facts.ts';
export { sampleDocument } from './sample-document.ts';
export { documentDay, documentMonth, lastDayOf, monthBefore } from './document-days.ts';
export type { DocumentMonth } from './document-days.ts';
export { minimumStart, monthlyFee } from './monthly-minimums.ts';
export { invoiceEmail } from './invoice-email.ts';
export {
  nextWebhookTry,
  renderWebhook,
  standardWebhookBody,
  WEBHOOK_ERRORS,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_STATUSES,
  webhookBodyError,
  webhookEscape,
  webhookExample,
  webhookHeaderError,
  webhookUrl,
  webhookUrlError,
  webhookVariables,
  webhookVariablesIn,
} from './webhooks.ts';
export type {
  WebhookError,
  WebhookEvent,
  WebhookHeaderRule,
  WebhookReport,
  WebhookStatus,
} from './webhooks.ts';
export {
  bitrixStatusOf,
  inboundFields,
  INTEGRATION_CATALOGUE,
  INTEGRATION_DIRECTIONS,
  INTEGRATION_GROUPS,
  isInboundField,
  isTestCall,
  literalText,
  renderInbound,
} from './integrations.ts';
export {
  choosableChannels,
  defaultChannels,
  isAlwaysEmailed,
  NOTIFICATION_AREAS,
  NOTIFICATION_CHANNELS,
  notificationArea,
  notificationTypesOf,
} from './notification-channels.ts';
export type { NotificationArea, NotificationChannel } from './notification-channels.ts';
export {
  BOT_TEXTS,
  notificationEmail,
  telegramNotification,
  type BotTexts,
} from './notification-email.ts';
export {
  escapeHtml,
  MAX_RICH_TEXT,
  parseRichText,
  plainRichText,
  renderRichText,
  telegramRichText,
  telegramText,
} from './rich-text.ts';
export type { RichElement, RichNode, RichTag } from './rich-text.ts';
export type {
  CatalogueItem,
  IntegrationDirection,
  IntegrationGroup,
  IntegrationWay,
} from './integrations.ts';
export {
  beautify,
  blockSeconds,
  FLASHCALL_DIGITS,
  isBareCode,
  isCodeless,
  meetsConditions,
  OTP_CHANNEL_TYPES,
  OTP_CODE,
  PUMPING_CONVERSION,
  PUMPING_MIN_SESSIONS,
  OTP_CODE_DIGITS,
  OTP_CONDITION_TAGS,
  MAX_NETWORKS,
  otpPrefix,
  otpRangeLimit,
  otpRanges,
  otpTemplateError,
  autofillLine,
  withAutofill,
  otpText,
  resendCooldown,
  sessionCooldown,
  typedCode,
} from './otp.ts';
export type { OtpChannelType, OtpCondition, OtpTarget } from './otp.ts';
export {
  afterEndpointCall,
  endpointEnding,
  endpointHealth,
  isEndpointBroken,
  isEndpointGone,
  isEndpointServable,
  endpointPausedUntil,
} from './endpoint-health.ts';
export type { EndpointHealth } from './endpoint-health.ts';
export { EstimateSum } from './estimate-sum.ts';
export {
  compilePurchasePrices,
  costToNumber,
  formatCost,
  isPurchaseDestination,
  parseCost,
  purchasedUnits,
  SECONDS_OF_PRICE,
} from './purchase-prices.ts';
export type {
  Cost,
  Destination,
  FoundPrice,
  PriceList,
  PurchaseBook,
  PurchasePrice,
} from './purchase-prices.ts';
export {
  PRICE_FIELDS,
  PRICE_REASONS,
  priceColumns,
  priceText,
  readPrice,
} from './purchase-price-files.ts';
export type { PriceColumns, PriceField, PriceReason, ReadPrice } from './purchase-price-files.ts';
export {
  ALARM_AFTER,
  CHANNEL_ALARMS,
  channelAlarms,
  RECEIPT_SECONDS,
  receiptBucket,
  receiptQuantile,
} from './channel-watch.ts';
export type {
  ChannelAlarm,
  ChannelAlarmKind,
  ChannelFigures,
  NetworkShare,
} from './channel-watch.ts';
export { carriesSender, registeredNameErrors } from './channel-names.ts';
export type { RegisteredAt, RegisteredNames } from './channel-names.ts';
export {
  channelOrder,
  chosenChannel,
  dependsOnNetwork,
  hasPlaces,
  isAvoided,
  LOOKUP_WAIT_SECONDS,
  shareOf,
  TRAFFIC_KINDS,
  unmetByPlace,
  unmetByTraffic,
} from './routes.ts';
export type {
  PlannedChannel,
  RouteChannel,
  RouteConditions,
  RoutedChannel,
  RoutedPlace,
  RoutedTraffic,
  RoutePlan,
  TrafficKind,
} from './routes.ts';
export { restingShares, SHARE_REASONS, SHARE_TOTAL, shiftShares } from './share-shifts.ts';
export type { JudgedChannel, ShareChange, ShareFigures, ShareReason } from './share-shifts.ts';
export {
  brandContrast,
  brandHost,
  colorContrast,
  isColor,
  logoError,
  logoFacts,
  MAX_LOGO_BYTES,
  MAX_LOGO_SIDE,
  MIN_LOGO_SIDE,
  MIN_MARK_CONTRAST,
  MIN_TEXT_CONTRAST,
  unreadableColor,
} from './brands.ts';
export type { BrandColors, LogoFacts, LogoType } from './brands.ts';
export {
  CALL_LANGUAGES,
  exampleOf,
  readHttpCall,
  writeHttpCall,
  type CallLanguage,
  type HttpCall,
} from './call-examples.ts';
export {
  betterVariant,
  chooseVariant,
  MAX_VARIANT_HOURS,
  MAX_VARIANT_SHARE,
  MIN_VARIANT_RECIPIENTS,
  MIN_VARIANT_SHARE,
  VARIANT_CRITERIA,
  VARIANT_PARTS,
  VARIANT_REASONS,
  VARIANT_SLOTS,
  VARIANTS,
  variantShare,
  variantSlots,
} from './variants.ts';
export type {
  Variant,
  VariantCriterion,
  VariantFigures,
  VariantFiguresOf,
  VariantPart,
  VariantReason,
} from './variants.ts';
