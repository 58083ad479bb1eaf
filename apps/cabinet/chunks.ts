/** Mantine's components of the sign-in pages; the others are in the shell's chunk. */
const BASE_PARTS = [
  'ActionIcon',
  'Alert',
  'Anchor',
  'Button',
  'Center',
  'CloseButton',
  'Group',
  'Input',
  'InputBase',
  'Loader',
  'Paper',
  'PasswordInput',
  'Stack',
  'Text',
  'TextInput',
  'Title',
  'Transition',
  'UnstyledButton',
].join('|');

/**
 * Styles of the same layer go by their order: those of the shell come after those of the sign-in pages, which the entry has.
 * In the base chunk they would come before them, and every menu item and tab would look like a plain button.
 */
const SHELL_STYLES = 'shell-styles';

/** Components of forms: lists load them when a form is opened. */
const FORM_PARTS = [
  'Autocomplete',
  'Combobox',
  'Fieldset',
  'FileButton',
  'FileInput',
  'FloatingIndicator',
  'Kbd',
  'List',
  'MultiSelect',
  'PillsInput',
  'Radio',
  'SegmentedControl',
  'Select',
  'Switch',
  'TagsInput',
  'Textarea',
].join('|');

/** Components that few pages draw. */
const PAGE_PARTS = 'Accordion|Divider|Pill|Table|Tabs';
/** Components of dialogs, loaded when one is opened. */
const DIALOG_PARTS = 'Drawer|Modal|ModalBase';
/** Our own components of dialogs and forms. */
const OPENED = 'confirm-dialog|remove-dialog|row-dialog|dialog|detail';
/** Modules of the form kit that only dialogs load, and those that both load: sign-in pages have forms and no dialogs. */
const ASKED = 'leave-question|typed';
const FORM_OR_DIALOG = 'dialog-hold|leave-blocker|leave-guard|on-top';
const WRITTEN =
  'decision-form|identity-form|mail-preview|markdown-edits|owner-select|text-format|variable-area|variables';
/** Shared components that few pages draw, with their logic. `/debug` draws them all, which must not put them into the shell. */
const PIECES =
  'code-input|code-pane|markdown-links|markdown-parser|markdown-view' +
  '|async-multi-select|async-options|async-options-failure|async-select|money-input|number-field|optimistic-switch|page-buttons' +
  '|bars|date-field|download-file|dropzone|file-link|keys|password-strength|phone-field|phone-input|qr-code|rich-text|secret-input|secret-once|section-form|section-mark|section-nav|sortable-rows|stepper-dialog|upload-list|use-field-name|use-uploads|zone-select';
const PIECE_LOGIC =
  'after-press|clocks|countries|csv-text|decimal-text|file-url|notification-color|parse-phone|password-strength|provider-visit|upload|webauthn';

/** Components of lists alone, and the list modules that other pages use too. */
const LIST_PARTS = 'Pagination';
const LIST_DATA = 'list-spec|list-state|use-list';

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`);

/**
 * The chunk of each module. By default the bundler makes a chunk for every set of pages that share a module, dozens of one
 * kilobyte each. The order of priority: modules of the sign-in pages, then modules of every page behind them. A module that
 * only one page uses stays with that page.
 */
export const groups = [
  { name: 'react', test: packages('react|react-dom|scheduler|react-router'), priority: 50 },
  { name: 'i18n', test: packages('i18next|react-i18next|use-sync-external-store'), priority: 50 },
  {
    name: 'base',
    test: new RegExp(
      `@mantine[\\\\/]core[\\\\/]esm[\\\\/](core|components[\\\\/](${BASE_PARTS}))[\\\\/]` +
        '|packages[\\\\/]contract[\\\\/]src[\\\\/]client' +
        '|packages[\\\\/]domain[\\\\/]src[\\\\/](compose-text|emails|fold-text|invisible|names)\\.' +
        `|src[\\\\/]core[\\\\/](session|i18n|theme)[\\\\/](?!${SHELL_STYLES}\\.)` +
        '|src[\\\\/]core[\\\\/]personal[\\\\/]mirror\\.' +
        '|src[\\\\/]core[\\\\/](errors|focus|frontend|local-path|open-pages|page|lost-chunk|browser-storage|drafts|same-values|use-countdown)\\.' +
        '|src[\\\\/]ui[\\\\/](documents|error-card|later|logo|season)\\.|createReactComponent|IconAlertTriangle',
    ),
    minShareCount: 2,
    priority: 40,
  },
  // Of the sign-in pages and of all other forms, which need nothing else of those.
  {
    name: 'submit-button',
    test: /src[\\/]core[\\/]forms[\\/]submit-button\./,
    minShareCount: 2,
    priority: 39,
  },
  {
    name: 'auth',
    test: /src[\\/]features[\\/]auth[\\/](auth-|credentials|new-password\.)/,
    minShareCount: 2,
    priority: 38,
  },
  {
    name: 'wire',
    test: /node_modules[\\/]zod[\\/]|packages[\\/]contract[\\/]src[\\/](endpoint|fields|list|permissions|types)\.|packages[\\/]domain[\\/]src[\\/]types\.|src[\\/]core[\\/](api|idempotency)\./,
    minShareCount: 2,
    priority: 30,
  },
  // Areas that single pages use. Without chunks of their own they come with the client of `users`, thus with every page.
  {
    name: 'tax-ids',
    test: /packages[\\/]domain[\\/]src[\\/]tax-ids\./,
    minShareCount: 2,
    priority: 26,
  },
  {
    name: 'senders',
    test: /packages[\\/]domain[\\/]src[\\/]senders\./,
    minShareCount: 2,
    priority: 27,
  },
  {
    name: 'sendernames',
    test: /packages[\\/]contract[\\/]src[\\/]sendernames\./,
    minShareCount: 2,
    priority: 26,
  },
  {
    name: 'webhooks',
    test: /packages[\\/](contract|domain)[\\/]src[\\/]webhook/,
    minShareCount: 2,
    priority: 26,
  },
  {
    name: 'messages',
    test: /packages[\\/]contract[\\/]src[\\/](payload|sendings|sendings-incoming|tasks|templates)\./,
    minShareCount: 2,
    priority: 25,
  },
  {
    name: 'channels',
    test: /packages[\\/]contract[\\/]src[\\/](account-groups|channels|patterns)\./,
    minShareCount: 2,
    priority: 24,
  },
  {
    name: 'shell',
    test: new RegExp(
      `@mantine[\\\\/](?!.*components[\\\\/](${FORM_PARTS}|${PAGE_PARTS}|${DIALOG_PARTS}|${LIST_PARTS})[\\\\/])|@floating-ui|@tanstack|@tabler` +
        `|src[\\\\/](core|ui|shell)[\\\\/](?!forms[\\\\/]|(${OPENED}|${WRITTEN}|${PIECES}|${PIECE_LOGIC})\\.)|src[\\\\/]list[\\\\/]state[\\\\/](${LIST_DATA})\\.`,
    ),
    minShareCount: 2,
    priority: 20,
  },
  {
    name: 'lists',
    test: new RegExp(
      `@mantine[\\\\/]core.*components[\\\\/](${LIST_PARTS})[\\\\/]|src[\\\\/]list[\\\\/]`,
    ),
    minShareCount: 2,
    priority: 10,
  },
  {
    name: 'forms',
    test: new RegExp(`src[\\\\/]core[\\\\/]forms[\\\\/](?!(${ASKED}|${FORM_OR_DIALOG})\\.)`),
    minShareCount: 2,
    priority: 10,
  },
  {
    name: 'dialogs',
    test: new RegExp(
      `@mantine[\\\\/]core.*components[\\\\/](${DIALOG_PARTS})[\\\\/]|react-remove-scroll|src[\\\\/]ui[\\\\/](${OPENED})\\.|src[\\\\/]core[\\\\/]forms[\\\\/](${ASKED})\\.`,
    ),
    minShareCount: 2,
    priority: 10,
  },
];
