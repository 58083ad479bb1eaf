import { WEBHOOK_STATUSES } from '@heliograph/domain';
import { as, id, inEach, type Description } from './description.ts';

export const SETTINGS_USER: Record<string, Description> = {
  SettingsUser: as('Personal settings of a user, by key. Absent keys have their defaults.'),
  'SettingsUser.locale': as('Language of the cabinet.'),
  'SettingsUser.timeZone': as(
    'Time zone of all displayed times, a name of the IANA database. Defaults to that of the browser.',
    'Europe/Moscow',
  ),
  'SettingsUser.theme': as('Color scheme. `system` follows the operating system.'),
  'SettingsUser.density': as('Row spacing of lists.'),
  'SettingsUser.shortcuts': as('True if single-key shortcuts are enabled.'),
  'SettingsUser.hidePersonalData': as('True if personal data is blurred on all pages.'),
  'SettingsUser.reports': as('Default values of the report dialog.'),
  ReportDefaults: as('Default values of the report dialog.'),
  'ReportDefaults.format': as('Format of the file.'),
  'ReportDefaults.encoding': as('Character encoding of the file.'),
  'ReportDefaults.delimiter': as(
    'Column delimiter of the file. Requests may have its name: `semicolon` or `comma`.',
  ),
  ListSettings: as('Columns and views of one list. The key is `list.` and the name of the list.'),
  'ListSettings.columns': as('Columns that the user showed (true) or hid (false), by name.', {
    price: true,
  }),
  'ListSettings.views': as('Named views.'),
  'ListSettings.views.name': as('Name of the view.', 'Failed today'),
  'ListSettings.views.query': as('Query string of the list page.', 'f.status=failed'),
  'ListSettings.views.columns': as('Columns of the view.', { price: true }),
  ...inEach(['WebhookSetting', 'WebhookSettingInput'], {
    url: as('Address that is called.', 'https://shop.example/hooks/statuses'),
    method: as('Method of the calls.'),
    headers: as(
      'Headers of the calls, as a list or by name. Values that may be secret are not shown.',
      [{ name: 'X-Shop', value: 'tea' }],
    ),
    body: as('Template of the body. Null for the standard body.', null),
    maxConnections: as('Calls at a time.', 5),
    successOn: as(
      'Regular expressions that the answer must match. Without them any 2xx is a success.',
    ),
    extras: as('What only some events have.'),
    'extras.statuses': as(
      'Statuses of messages that are reported, as a list or as true by name; for `onStatusChange`.',
      ['delivered', 'failed'],
    ),
  }),
  ...Object.fromEntries(
    WEBHOOK_STATUSES.map((status) => [
      `WebhookSettingInput.extras.statuses.${status}`,
      as('True if the status is reported.', true),
    ]),
  ),
  'WebhookSettingInput.extras.statuses.paused': as(
    'False. Pauses are those of tasks, and reported by `tasks.state`.',
    false,
  ),
  WebhookSetting: as(
    'The webhook of an event that was created first, as a setting: another spelling of the same webhook of `GET /webhooks`.',
  ),
  WebhookSettingInput: as(
    'Webhook of an event. `onStatusChange` is `sendings.status`. Without one it is created; its secret is replaced and shown by `POST /webhooks/{id}/rotate`.',
  ),
  NotificationSetting: as(
    'Notifications of a type, as a setting: another spelling of what `GET /notificationSettings` returns. The key is `events.` and the name of the type.',
  ),
  NotificationSettingInput: as(
    'Notifications of a type. Replaces all channels at once; null puts the defaults back. API tokens are refused.',
  ),
  ...inEach(['NotificationSetting', 'NotificationSettingInput'], {
    channels: as('Channels on which it is told, besides an e-mail that is always sent.', [
      'web',
      'email',
    ]),
    settings: as(
      'Of `BalanceLimit`: the limits, replaced as a whole; absent in a request: they stay. Null for other types.',
      [{ balance: 500, includeOverdraft: false, invoice: false }],
    ),
  }),
  'Settings.personal': as(
    'Personal settings of the user. Null in a session opened by login-as and for an API token without `settingsUser.get`.',
  ),
  'settingsUser.get.?accountId': id('Id of the signed-in user.'),
  'settingsUser.update.?accountId': id('Id of the signed-in user.'),
  'settingsUser.update.?key': as('Name of the setting.', 'theme'),
  'settingsUser.update.key': as('Name of the setting.', 'theme'),
  'settingsUser.update.value': as('Value of the setting. Null removes it.', 'dark'),
  'settingEvent.key': as('Name of the setting.', 'theme'),
  'settingEvent.value': as('Value of the setting. Null if it was removed.', 'dark'),
  'emails.cancel.cancelled': as('The address that does not take effect.', 'new@example.com'),
  PasswordChange: as('Change of the own password.'),
  'PasswordChange.userId': id('Id of the signed-in user.'),
  'PasswordChange.passwords': as('The former and the new password.'),
  'passwords.oldPassword': as('The current password.', 'correct horse 7'),
  'passwords.newPassword': as('The new password.', 'tea & 3 cups'),
};
