/** The library's parts that the sign-in pages draw with; the rest of it comes with the shell. */
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

/** What forms are made of; a list has none of it until one is opened. */
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

/** What lies over a page when it is opened. */
const DIALOG_PARTS = 'Drawer|Modal|ModalBase';
/** Our own of those, and of what forms are made of. */
const OPENED = 'confirm-dialog|remove-dialog|dialog|detail';
/** What dialogs use of the form kit. */
const ASKED = 'dialog-hold|leave-question|typed';
const WRITTEN = 'decision-form|identity-form|owner-select|variable-area|variable-options|variables';

/** What only lists are drawn with; what asks for them is of use to others too. */
const LIST_PARTS = 'Pagination';
const LIST_DATA = 'list-spec|list-state|use-list';

const packages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](${names})[\\\\/]`);

/**
 * Which file a module goes into. Left to itself the bundler makes a file for every set of pages that share something,
 * dozens of one kilobyte each. The order is the order of need: first what signing in takes, then what every page
 * behind it takes. What only one page uses stays with that page.
 */
export const groups = [
  { name: 'react', test: packages('react|react-dom|scheduler|react-router'), priority: 50 },
  { name: 'i18n', test: packages('i18next|react-i18next|use-sync-external-store'), priority: 50 },
  {
    name: 'base',
    test: new RegExp(
      `@mantine[\\\\/]core[\\\\/]esm[\\\\/](core|components[\\\\/](${BASE_PARTS}))[\\\\/]` +
        '|@mantine[\\\\/]hooks[\\\\/]' +
        '|packages[\\\\/]contract[\\\\/]src[\\\\/]client' +
        '|packages[\\\\/]domain[\\\\/]src[\\\\/](emails|names)\\.' +
        '|src[\\\\/]core[\\\\/](session|i18n|theme)[\\\\/]' +
        '|src[\\\\/]core[\\\\/](errors|frontend|local-path|page|lost-chunk|stored|use-countdown)\\.' +
        '|src[\\\\/]ui[\\\\/](documents|error-card|logo|season)|createReactComponent|IconAlertTriangle',
    ),
    minShareCount: 2,
    priority: 40,
  },
  {
    // A group takes what its modules import along. Registration checks phones, which brings the plans of all countries.
    name: 'wire',
    test: /node_modules[\\/]zod[\\/]|packages[\\/]contract[\\/]src[\\/](?!registration)|src[\\/]core[\\/]api\./,
    minShareCount: 2,
    priority: 30,
  },
  {
    name: 'shell',
    test: new RegExp(
      `@mantine[\\\\/](?!form)(?!.*components[\\\\/](${FORM_PARTS}|${DIALOG_PARTS}|${LIST_PARTS})[\\\\/])|@floating-ui|@tanstack|@tabler` +
        `|src[\\\\/](core|ui|shell)[\\\\/](?!forms[\\\\/]|(${OPENED}|${WRITTEN})\\.)|src[\\\\/]list[\\\\/](${LIST_DATA})\\.`,
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
    test: new RegExp(
      `@mantine[\\\\/]form[\\\\/]|fast-deep-equal|src[\\\\/]core[\\\\/]forms[\\\\/](?!(${ASKED})\\.)`,
    ),
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
