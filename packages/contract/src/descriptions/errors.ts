import type { FailureAdvice } from '@heliograph/domain';
import type { ErrorCode } from '../errors.ts';
import type { OtpErrorName } from '../otp-handler.ts';

/** Why an error happens, and what to do about it. Markdown in English, for the page of the error. */
export type Explanation = readonly [cause: string, cure: string];

/** Error codes of requests. */
export const CODES: Record<ErrorCode, Explanation> = {
  bad_request: [
    'The server cannot read the request: its address, its headers or its form.',
    'Correct the request; `message` says what is wrong.',
  ],
  malformed_json: [
    'The body of the request is not JSON.',
    'Check quotes, commas and the encoding.',
  ],
  unauthorized: [
    'The request has no token, or one that is unknown, incomplete, switched off or expired.',
    'Send a token. Check that it is complete, active and used from an allowed address.',
  ],
  wrong_credentials: [
    'No active user has this name and this password.',
    'Check the username and the password.',
  ],
  second_factor_required: [
    'The password is right, and the user has two-factor sign-in.',
    'Sign in with the `code` of the second factor, or use an API token.',
  ],
  wrong_code: [
    'The code is wrong, has expired, or was used before.',
    'Check the code: it is valid for a short time and once.',
  ],
  wrong_passkey: [
    'The passkey is not known here, or its signature is wrong or was used before.',
    'Use another passkey, or sign in with the password.',
  ],
  wrong_identity: [
    'The identity provider did not confirm the sign-in, or it was begun in another browser, more than ten minutes ago, or was finished before.',
    'Begin the sign-in again.',
  ],
  unknown_identity: [
    'The identity provider confirms a person to whom no user is linked, or whose groups give no role.',
    'Sign in with the password and link the identity, or ask those who run the provider for a group.',
  ],
  identity_required: [
    'The account has an identity provider that its members have to use; their passwords and passkeys do not sign them in.',
    'Sign in through the provider that the payload names. Programs use an API token.',
  ],
  session_ended: [
    'The session is over: by its age, by signing out, or because somebody ended it.',
    'Sign in again, or use an API token.',
  ],
  insufficient_funds: [
    'The balance with the overdraft is lower than the price of the request. Nothing was sent or charged.',
    'Top up the balance, then repeat.',
  ],
  spend_cap_reached: [
    'The account or the API token may spend only so much in a period, and this request would exceed it. Nothing was sent or charged.',
    'Raise the spend cap or wait until it resets, then repeat. `payload.cap` (for one message: `cap`) says which cap, its `limit`, what is `spent`, and `resetsAt`.',
  ],
  payment_refused: [
    'The acquirer refused the payment or the refund.',
    'Use another card or method.',
  ],
  forbidden: [
    'The token or the user lacks a permission.',
    'Create a token that has the permission.',
  ],
  phone_not_confirmed: [
    'The account is new: until its phone is confirmed, it may send only to test numbers and to that phone.',
    'Confirm the phone of the account in the cabinet.',
  ],
  borrowed_session: [
    'Somebody has signed in as another user, and this call is only for the user.',
    'Return to your own account.',
  ],
  session_required: [
    'An API token cannot make this call: it is for persons, such as one that changes passwords or tokens.',
    'Sign in with username and password.',
  ],
  test_token_required: [
    'The call has the header `X-Test-Only`, and its token is not a test one. Nothing was done.',
    'Use a test token, or leave the header out if the call is meant to be a real one.',
  ],
  address_not_allowed: [
    'The token has a list of addresses, and the request comes from another one.',
    'Call from an address of the list, or change the list.',
  ],
  second_factor_setup_required: [
    'The installation requires two-factor sign-in for the level of this user, who has not set it up.',
    'Switch on two-factor sign-in in the cabinet first.',
  ],
  account_inactive: ['The account was deactivated, or the one above it.', 'Ask support.'],
  type_unavailable: [
    'The type of the message is not among those of the account.',
    'Send another type, or ask support.',
  ],
  captcha_required: [
    'The call is open to everybody, and the installation wants to know that a person makes it.',
    'Use an API token, or solve the challenge of `GET /api/captcha`.',
  ],
  registration_closed: [
    'The operator creates the accounts of this installation.',
    'Ask the operator for an account.',
  ],
  not_found: [
    'The path is wrong, the object was removed, or it is not within the reach of the caller, which is answered alike.',
    'Check the path and the id, and whose token is used.',
  ],
  method_not_allowed: [
    'The path exists, but not with this method.',
    'Use a method of the reference; the header `Allow` names those of the path.',
  ],
  poll_timeout: [
    'The call waits for a change, and none came in time. This is no failure.',
    'Repeat the request.',
  ],
  conflict: [
    'Another request changed the object first, or its state does not allow this.',
    'Read the object again, then decide.',
  ],
  in_use: ['Other objects refer to this one.', 'Remove those first, or keep the object.'],
  currency_mismatch: [
    'Money moves only between accounts with the same currency.',
    'Choose an account with the same currency.',
  ],
  list_removed: ['A contact list of the request no longer exists.', 'Choose another list.'],
  token_ended: [
    'What a token starts ends with it: the token was removed, has expired, or lost its permission to send.',
    'A person resumes the task.',
  ],
  quota_exceeded: [
    'The account has as many of these objects, or as much of this storage, as it may have.',
    'Remove what is not needed, or ask support. With `payload.isUnfinished`, open payments, unpaid invoices or unfinished reports are counted: wait until some have ended.',
  ],
  phone_used: [
    'The credit of new accounts is given once for a phone.',
    'Confirm another phone, or top up the balance.',
  ],
  device_link_beta: [
    'WhatsApp is testing another way of linking devices on this phone.',
    'Leave the beta in WhatsApp, then scan a new code.',
  ],
  instance_expired: ['The paid month of the instance is over.', 'Renew the instance.'],
  instance_removed: ['Somebody removed the instance.', 'Create a new instance.'],
  instance_authorized: [
    'An instance has one phone, and this one has it already.',
    'Log out first, to link another one.',
  ],
  instance_not_authorized: [
    'The phone of the instance was never linked, or has logged out.',
    'Scan the QR code of the instance with the phone.',
  ],
  phone_already_used: [
    'A phone belongs to one instance.',
    'Log out there first, or link another phone.',
  ],
  tariff_required: ['The tariff of the account has no price for the subscription.', 'Ask support.'],
  idempotency_running: [
    'Two requests with one `Idempotency-Key` came at the same time.',
    'Wait until the first one has ended, then repeat.',
  ],
  too_large: ['The request or the file has more bytes than the call takes.', 'Divide it.'],
  unsupported_media: [
    'The `Content-Type` of the request is not one that the call reads, or the body is compressed.',
    'Send `application/json`, or a file where files are expected.',
  ],
  range_not_satisfiable: [
    'The header `Range` asks for bytes after the end of the file.',
    'Ask for less: `Content-Range` names the size of the file.',
  ],
  validation: [
    'At least one field of the request breaks a rule. Nothing was done. `data` has the fields, and their rules as `type`.',
    'Correct the fields named in `data`.',
  ],
  unknown_field: [
    'The request has a field or a parameter that the call does not know, perhaps a misspelt one. It is refused, so that nothing is left out unnoticed.',
    'Remove or correct the field or parameter that `data` names.',
  ],
  idempotency_mismatch: [
    'The `Idempotency-Key` was used before, for a request with another content.',
    'Use a new key for another request.',
  ],
  no_price: [
    'No rule of the tariff of the account gives a price for this recipient and type.',
    'Ask support.',
  ],
  no_value: [
    'A variable of the text has neither a value for this recipient nor a default.',
    'Add the value, or a default: `{firstName|friend}`.',
  ],
  too_long: [
    'With the values of its variables the message is longer than the channel allows.',
    'Shorten the text or the labels of its buttons.',
  ],
  no_recipients: [
    'The lists are empty, or all of their contacts are excluded, suppressed or without an address for the channel.',
    'Check the lists and the exclusions.',
  ],
  sender_not_approved: [
    'The account sends this type only under sender names that were approved for it.',
    'Register the sender name and wait for its approval.',
  ],
  sender_not_registered: [
    'Carriers know the sender names they take, and none that takes the type knows this one.',
    'Use a sender name that is registered at the carriers, or contact your manager.',
  ],
  invalid_recipient: [
    'The number or the address does not exist in its country, or is none of the channel.',
    'Check the phone number or e-mail address.',
  ],
  blacklisted: [
    'The recipient is in a blacklist of the account.',
    'Do not send, or remove the recipient from the list.',
  ],
  unsubscribed: ['The recipient asked for no more messages, by a reply or a link.', 'Do not send.'],
  frequency_cap_reached: [
    'Within the period of its frequency cap, the account has sent the recipient as many advertising messages as the cap allows.',
    'Send later, or raise the frequency cap of the account.',
  ],
  unreadable_file: [
    'The file is damaged or has another format.',
    'Check that the file opens, and is of a format that the call reads.',
  ],
  date_range: [
    'The time between the beginning and the end is longer than the call takes at once.',
    'Choose a shorter period.',
  ],
  rate_limited: [
    'Too many requests came from the account, the token or the network, or too many are running.',
    'Wait as long as `Retry-After` says, then repeat.',
  ],
  headers_too_large: [
    'The address and the headers of the request together have too many bytes.',
    'Send fewer or shorter headers.',
  ],
  internal: [
    'Something unexpected happened in the server, which has noted it under the `requestId`.',
    'Repeat with the same `Idempotency-Key`. If it stays, tell support the `requestId`.',
  ],
  unavailable: [
    'The server has too much to do, restarts, or cannot reach its database.',
    'Repeat after `Retry-After`.',
  ],
  storage_unavailable: [
    'The store of the files does not answer, or its disk is full.',
    'Repeat later.',
  ],
  mail_off: [
    'The operator has set up no mail server, which the call needs.',
    'Ask the operator to set one up.',
  ],
};

/** Errors of one-time codes, by their names without `Exception`. */
export const CODE_ERRORS: Record<OtpErrorName, Explanation> = {
  AttemptsExpired: [
    'Too many wrong codes were entered in this session.',
    'Start the session again, or send the code again.',
  ],
  CaptchaNotConfirmed: [
    'The widget requires a captcha, and its answer is missing, wrong or was used before.',
    'Ask the person for a captcha, and send its answer.',
  ],
  ChannelChanged: [
    'The code was sent over the next channel of the widget meanwhile.',
    'Read the channel of the session again.',
  ],
  Forbidden: [
    'The widget is not open to this site, address or country, or a test token was given a number that is no test number.',
    'Check the settings of the widget, and the page it is used on. With a test token, confirm one of the test numbers.',
  ],
  InvalidCode: [
    'The code is not the one that was sent.',
    'Let the person enter the code again: `payload.remainingCodeAttempts` are left.',
  ],
  IsCodelessChannel: [
    'The person confirms the number on the phone, so there is no code to check.',
    'Poll the status of the session instead.',
  ],
  LongPollingTimeout: [
    'The call waits for a change, and none came in time. This is no failure.',
    'Repeat the poll.',
  ],
  NoAvailableChannels: [
    'No channel of the widget reaches this number, or all of them have failed.',
    'Add a channel to the widget, or ask for another number.',
  ],
  PhoneNumberMismatch: [
    'The session confirms another number than the one that you expect.',
    'Do not accept the number: start a session for it.',
  ],
  RateLimit: [
    'The widget, the number or the address has had too many codes.',
    'Wait as long as `Retry-After` says, then repeat.',
  ],
  ResendChannel: ['The code has expired.', 'Send the code again, from `payload.resendAt` on.'],
  RestartCooldownActive: [
    'A code was sent a moment ago.',
    'Wait until `payload.resendAt`, then send the next one.',
  ],
  SessionAlreadyConfirmed: [
    'The number of the session is confirmed.',
    'Go on with `checkStatusAndComplete`.',
  ],
  SessionClosed: ['The session was completed or has expired.', 'Start the session again.'],
  SessionNotConfirmed: [
    'The person has not entered the right code yet.',
    'Wait for the code, or poll the status of the session.',
  ],
  SessionNotFound: [
    'The id of the session is wrong, or the session is of another widget.',
    'Check the id.',
  ],
  WidgetIsBlocked: [
    'The widget, or the account that it belongs to, is switched off.',
    'Switch it on in the cabinet, or ask support.',
  ],
  WidgetNotFound: ['The id of the widget is wrong, or the widget was removed.', 'Check the id.'],
};

/** What to do about messages that failed; their causes are `SENDING_ERRORS`. */
export const FAILURE_CURES: Record<FailureAdvice, string> = {
  retry: 'Send the message again.',
  retry_later: 'Send the message again later.',
  other_channel: 'Send over another channel, or add one as a fallback.',
  check_number: 'Check the number or the address of the recipient.',
  check_sender: 'Choose a sender name that is approved and registered for the type.',
  connect_instance: 'Link a phone to the WhatsApp instance, then send again.',
  confirm_phone: 'Confirm the phone of the account in the cabinet.',
  check_text: 'Change the content of the message, then send it again.',
  top_up: 'Top up the balance, then send again.',
  raise_cap: 'Raise the spend cap, or wait until it resets.',
  ask_support: 'Ask support.',
  nothing: 'Nothing: the message was left out on purpose.',
};

/** Rules by which fields are refused: `data[].type` of an error body. */
export const RULES = {
  account_bik: [
    'The check digit of the account does not fit the BIK of the bank.',
    'Compare both with the papers of the bank.',
  ],
  account_kind: [
    'The first digits of the account are those of organizations of another form.',
    'Check the first five digits and the form of organization.',
  ],
  account_length: ['A Russian bank account has 20 digits.', 'Send 20 digits.'],
  address: [
    'The address does not exist, or leads into a network that the installation does not call.',
    'Use an address that is reachable from the server, or have it permitted in the settings of the server.',
  ],
  alias: [
    'The field has two names, and the request has both with different values.',
    'Send one of the two.',
  ],
  always_on: [
    'These messages are about the security of the account and are always sent.',
    'Leave the setting as it is.',
  ],
  ambiguous: ['Several columns of the file fit the field.', 'Say which columns to use.'],
  audio: ['Calls play WAV and MP3.', 'Send a file of one of these kinds.'],
  bik_format: ['The BIK of a Russian bank has 9 digits that begin with 04.', 'Check the BIK.'],
  bik_settlement_center: [
    'The BIK is that of a settlement center of the Bank of Russia.',
    'Send the BIK of the bank that has the account.',
  ],
  both: [
    'A recipient is among those to include and those to exclude.',
    'Remove it from one of them.',
  ],
  both_words: [
    'A word is among those that stop messages and those that resume them.',
    'Remove it from one of them.',
  ],
  brace: ['A brace has no counterpart.', 'Close it, or write it twice to print one.'],
  cents: ['The amount has more than two decimals.', 'Round it to two decimals.'],
  character_class: [
    'Character classes such as `%d{1,10}` describe texts for operators and cannot be sent.',
    'Replace them with the text itself.',
  ],
  characters: [
    'The value has characters that are not allowed in this field.',
    'Remove them; `message` says which are allowed.',
  ],
  code: ['These types send nothing but a code.', 'Send 4 to 8 digits.'],
  code_expired: ['The code is no longer valid.', 'Request a new one.'],
  code_wrong: [
    'The code is not the one that was sent, or was used before.',
    'Enter it again, or request a new one.',
  ],
  color: ['A colour is `#` and six hexadecimal digits.', 'Send a value such as `#1c6dd0`.'],
  common: [
    'The password is in lists of common passwords, which attackers try first.',
    'Choose another one.',
  ],
  company: [
    'The comment of a sender name says who owns the name.',
    'Write the name of the company.',
  ],
  conflict: ['Another change of the same kind is waiting.', 'Finish that one first.'],
  contrast: [
    'What is drawn in the colour could not be read.',
    'Choose a darker primary colour, or an accent that differs more from it.',
  ],
  country: ['No country has this code.', 'Send a code of ISO 3166-1 alpha-2, such as `GB`.'],
  custom: [
    'The value breaks a rule of its own, which `message` describes.',
    'Correct the value as `message` says.',
  ],
  decimals: [
    'The number has more decimals than the field keeps.',
    'Round it; `message` says how many decimals there are.',
  ],
  destination: [
    'The destination of a price is a network, a prefix, a country code followed by `*`, a country or `*`.',
    'Write it in one of these forms.',
  ],
  domain: [
    'This is no domain: it has a port, a path or a user, or is an IP address.',
    'Send the host alone, such as `sms.example.com`.',
  ],
  domain_taken: [
    'The domain is that of another brand or of the installation.',
    'Choose another domain.',
  ],
  email: ['This is no e-mail address.', 'Check its spelling.'],
  empty: ['The file has no content.', 'Send another file.'],
  far: ['The time is further in the future than the field takes.', 'Choose an earlier time.'],
  file_size: [
    'The file has more bytes than a message of this type takes.',
    'Send a smaller file; `message` says the limit.',
  ],
  file_type: [
    'Messages of this type do not take files of this kind.',
    'Send a file of another kind, or use another channel.',
  ],
  format: ['The value is not written as this field needs it.', 'Write it as `message` says.'],
  grouped: [
    'A report that is grouped has only sums, and this field is of single messages.',
    'Remove the field, or do not group.',
  ],
  header_name: ['A name of a header has Latin letters, digits and hyphens.', 'Correct the name.'],
  header_reserved: ['The header is set by the server itself.', 'Remove it.'],
  header_value: [
    'A value of a header has Latin letters, digits and signs, without line breaks.',
    'Correct the value.',
  ],
  inbound_field: [
    'Paths of fields have letters, digits and `. _ - $`.',
    'Write the path such as `order.phone`.',
  ],
  inbound_list: [
    'The contact list of the rule does not exist, or is not of the account.',
    'Choose a list of the account.',
  ],
  inbound_webhook: [
    'The webhook of the rule does not exist, is switched off, or is for other events.',
    'Choose an active webhook for the event of rules.',
  ],
  inn: [
    'The comment has an INN with wrong check digits or another length.',
    'Check the INN: it has 10 or 12 digits.',
  ],
  inn_check: ['The check digits of the INN are wrong.', 'Look for a typo.'],
  inn_kind: [
    'An entrepreneur has an INN of 12 digits, a company of 10.',
    'Check the INN and the form of organization.',
  ],
  inn_length: ['An INN has 10 or 12 digits.', 'Check the INN.'],
  invalid_element: ['An entry of the list is not valid.', 'Correct it.'],
  invalid_format: [
    'The value is not written as this field needs it: a time, an id, a URL.',
    'Write it as `message` says.',
  ],
  invalid_key: ['A name in the object is not allowed.', 'Use the names that the reference lists.'],
  invalid_type: [
    'The field is required and missing, or its value is of another type, such as a text for a number.',
    'Send a value of the type that the reference says.',
  ],
  invalid_union: [
    'The value is none of the alternatives that the field takes.',
    'Choose one of those in the reference.',
  ],
  invalid_value: [
    'The value is none of those that the field takes, or refers to something that is not there.',
    'Choose one of those that `message` or the reference lists.',
  ],
  ip_range: ['This is neither an IP address nor a network.', 'Write it such as `192.0.2.0/24`.'],
  issuer: [
    'An identity provider is named by a URL with https, without a query.',
    'Send the issuer as the provider shows it, such as `https://login.example.com`.',
  ],
  keyword: ['A keyword has at least one letter, digit or symbol.', 'Choose another keyword.'],
  kind: ['Documents of this type have no such block.', 'Remove the block.'],
  kpp_format: [
    'A KPP has 9 characters: digits, and letters only at the fifth and sixth place.',
    'Check the KPP.',
  ],
  kpp_kind: ['An entrepreneur has no KPP.', 'Leave the field empty.'],
  ks_prefix: ['A correspondent account begins with 301.', 'Check the account.'],
  length: [
    'The value is shorter or longer than allowed.',
    'Change its length; `message` says the limits.',
  ],
  locked: [
    'An environment variable of the installation gives the setting.',
    'Change the variable that `message` names and restart the processes, or remove it.',
  ],
  logo_bytes: ['The picture has more than 128 KiB.', 'Make it smaller.'],
  logo_side: [
    'A side of the picture is shorter than 16 pixels or longer than 1024.',
    'Scale the picture.',
  ],
  logo_type: [
    'The bytes are not those of a PNG, JPEG or WebP. SVG can have scripts and is not taken.',
    'Save the picture in one of these formats.',
  ],
  mail_server: [
    'A mail server is named by a URL with smtp or smtps, without a password.',
    'Send it such as `smtps://name@mail.example.com`, and the password in its own field.',
  ],
  name: [
    'A name of a value begins with a letter and has letters, digits and underscores.',
    'Rename the value, and the variable in the text.',
  ],
  no_default: [
    'Where the message goes, only the address of the person is known.',
    'Give other variables a default, such as `{firstName|friend}`.',
  ],
  no_template: [
    'The company has no template for documents of this type.',
    'Choose another company, or add a template.',
  ],
  no_value: [
    'The text has a variable without a value, or the call has nothing in the field that the integration reads.',
    'Send the value, or give the variable a default.',
  ],
  not_multiple_of: [
    'The number is not a multiple of the step of the field.',
    'Round it; `message` says the step.',
  ],
  ogrn_check: ['The check digit of the OGRN is wrong.', 'Look for a typo.'],
  ogrn_kind: [
    'An entrepreneur has an OGRNIP of 15 digits, a company an OGRN of 13.',
    'Check the number and the form of organization.',
  ],
  ogrn_length: ['An OGRN has 13 digits, or 15 for an entrepreneur.', 'Check the OGRN.'],
  okpo_check: ['The check digit of the OKPO is wrong.', 'Look for a typo.'],
  okpo_kind: [
    'An entrepreneur has an OKPO of 10 digits, a company of 8.',
    'Check the number and the form of organization.',
  ],
  okpo_length: ['An OKPO has 8 digits, or 10 for an entrepreneur.', 'Check the OKPO.'],
  one_condition: [
    'A limit of a channel has neither a sender name nor a country nor a network.',
    'Give one of them, or set the limits of the whole channel.',
  ],
  one_file: ['A message of this type has an image or a file.', 'Remove one of the two.'],
  one_limit: [
    'A limit of a channel has neither a rate nor a number per day.',
    'Give one of them, or remove the limit.',
  ],
  option: [
    'The value is none that the option of the channel takes.',
    'Correct it as `message` says.',
  ],
  order: ['The end is before the beginning.', 'Exchange both.'],
  origin: [
    'The address is of another site than this installation.',
    'Use an address of the installation.',
  ],
  otp_braces: [
    'The text of a code has braces other than `{code}`, which would be sent as they are.',
    'Remove them.',
  ],
  otp_captcha_off: ['The installation has no keys for this captcha.', 'Choose another one.'],
  otp_code: ['The text has to contain `{code}` once.', 'Write `{code}` where the code belongs.'],
  otp_flashcall: [
    'The code of a call is the end of the calling number.',
    'Use codes of 4 digits for this channel.',
  ],
  past: ['The time is in the past.', 'Choose a time in the future, or none.'],
  pattern: ['The regular expression has an error.', 'Correct the pattern.'],
  period: ['A period has 1 to 366 days.', 'Choose a shorter period.'],
  permission: [
    'The caller does not have the permission and cannot give it to others.',
    'Remove the permission, or have it given to you.',
  ],
  phone: [
    'The number does not exist in its country, or is incomplete.',
    'Send it with its country code, such as `+79990000000`.',
  ],
  portal: [
    'The call comes from another portal than the one that is connected.',
    'Connect this portal.',
  ],
  precision: ['The currency has no such fraction.', 'Use fewer decimals.'],
  public_url: [
    'E-mails have links, and the installation does not know the address of its cabinet.',
    'Set `PUBLIC_URL` in the environment of all processes.',
  ],
  quiet_item: [
    'The quiet hours or the holidays of a country cannot be read, or are listed twice.',
    'Write windows as `DE 20:00-08:00`, one of a country, and holidays as `DE 2026-12-25`, with the code of a country by ISO 3166-1.',
  ],
  quiet_length: ['Quiet hours last from one minute to 20 hours.', 'Choose other times.'],
  range: [
    'The value is outside of the range that the field takes, or the period is empty or too long.',
    'Choose a value within; `message` says the limits.',
  ],
  referral_code: [
    'A code has 3 to 40 Latin letters, digits, hyphens and underscores.',
    'Choose another code.',
  ],
  required: ['The field is missing or empty.', 'Send a value.'],
  reserved: ['The name is used by the platform itself.', 'Choose another one.'],
  rising: [
    'A volume step does not begin later than the one before it, or does not take off more.',
    'Send the steps with rising `from` and `percent`.',
  ],
  price_of_calls: [
    'Intervals of calls are in a rule or a price list where they belong to no price of calls, or in a rule without a price per second.',
    'In a rule, send `byLength` with the action `increase`, two prices, and no condition that leaves calls out; in a price list of a channel, with the type `voice`.',
  ],
  same_conditions: [
    'Two limits of a channel have the same conditions.',
    'Remove one of them, or change its conditions.',
  ],
  seconds: [
    'The tariff has no price for a second of a call, which a recording needs.',
    'Send a text with a voice, or ask support for a price.',
  ],
  sender_not_approved: [
    'The sender name is not registered, not approved, or not of this account.',
    'Choose an approved sender name.',
  ],
  tax_form: ['The company has another form of taxation.', 'Choose that of the company.'],
  tax_id: [
    'The comment of a sender name has the tax id of its owner.',
    'Write the tax id of the company.',
  ],
  template: [
    'The template has no letters or digits of its own and would match every text.',
    'Add some words to it.',
  ],
  test_token: [
    'A test token only reads and sends, and never changes anything else.',
    'Choose permissions to read and to send, or make a live token.',
  ],
  text: [
    'The text has control characters or half characters, which cannot be sent or stored.',
    'Remove them. Check the encoding: it is UTF-8.',
  ],
  time: ['A time of day is required here.', 'Send a time such as `09:30`.'],
  time_zone: [
    'No time zone has this name.',
    'Send a name of the IANA database, such as `Europe/Madrid`.',
  ],
  too_big: [
    'The number is too large, or the text or the list too long.',
    'Shorten it; `message` says the limit.',
  ],
  too_long: [
    'The text is longer than the channel or the field takes.',
    'Shorten it; `message` says the limit.',
  ],
  too_many: ['There are too many entries.', 'Remove some; `message` says how many are allowed.'],
  too_many_variables: ['The template has too many variables.', 'Remove some.'],
  too_small: [
    'The number is too small, or the text or the list too short.',
    'Send more; `message` says the limit.',
  ],
  trigger: [
    'A fallback starts by a status, a reply or a time, and none of them is given.',
    'Say when the fallback starts.',
  ],
  trigger_except: [
    'A fallback after a time needs the statuses that prevent it.',
    'Name at least one status.',
  ],
  type: [
    'The value is of another type than the field takes.',
    'Send a value of the type that `message` says.',
  ],
  unavailable: [
    'The account may not send this type of message.',
    'Choose another type, or ask support.',
  ],
  unchanged: ['The new value is the present one.', 'Send another value, or do not call.'],
  unique: [
    'The value is taken by another object, or is listed twice.',
    'Choose another value, or remove one.',
  ],
  unknown: [
    'The value refers to something that does not exist or is out of reach.',
    'Choose an existing one.',
  ],
  unknown_field: [
    'The call has no field or parameter of this name. Perhaps it is misspelt.',
    'Remove or correct it.',
  ],
  unknown_variable: ['Documents of this type have no such variable.', 'Remove or correct it.'],
  unprintable: [
    'The fonts of documents do not have these characters.',
    'Replace the characters that `message` names.',
  ],
  unsupported: [
    'The channel does not support this.',
    'Remove the field, or choose another channel.',
  ],
  url: [
    'This is no link that can be opened.',
    'Send a whole link, such as `https://example.com/page`, without a username and a password.',
  ],
  variable: [
    'The text has a variable that does not exist, or its braces are wrong.',
    'Correct the name, or write a brace twice to send one.',
  ],
  webhook_address: [
    'The address does not exist, or is not on the public internet.',
    'Use an address that everybody can reach.',
  ],
  webhook_batch: [
    'Events are sent together only by POST, in the standard body, to a link without variables.',
    'Change these settings, or have each event sent alone.',
  ],
  webhook_credentials: [
    'A username and a password in a link would be shown in logs.',
    'Send them in a header.',
  ],
  webhook_get: ['A GET request has no body.', 'Use POST, or remove the body.'],
  webhook_json: [
    'With its variables filled in, the body is not JSON.',
    'Put variables of texts into quotes, and check commas.',
  ],
  webhook_unknown_variable: ['The event has no such variable.', 'Remove or correct it.'],
  webhook_variable: [
    'The host of a link cannot be a variable: the server would call any site.',
    'Use variables in the path and the query only.',
  ],
  word: ['A word has letters or digits.', 'Choose another word.'],
  wrong: ['The password is not that of the user.', 'Enter it again.'],
} as const satisfies Record<string, Explanation>;

/** A rule by which a field is refused. */
export type FieldRule = keyof typeof RULES;
