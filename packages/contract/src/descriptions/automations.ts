import { as, dated, id, inEach, list, time, type Description } from './description.ts';

const STEPS = [
  { id: 1, do: 'message', type: 'sms', sender: 'MIRTEA', text: 'Welcome to the tea club!' },
  { id: 2, do: 'wait', amount: 3, unit: 'days' },
  { id: 3, do: 'stop', if: 'replied' },
  { id: 4, do: 'tag', add: ['silent'], remove: [] },
];
const unnumbered = STEPS.map(({ id: _, ...step }) => step);
const WRITTEN = ['AutomationInput', 'AutomationUpdate'];

export const AUTOMATIONS: Record<string, Description> = {
  Automation: as('What happens to each person for whom something has happened.'),
  AutomationInput: as('A new automation. It is a draft until `isActive` starts it.'),
  AutomationUpdate: as(
    'Changes to an automation. It acts with the rights of who changed it last. `isActive` alone pauses or starts it.',
  ),
  AutomationRun: as('A person in an automation.'),
  AutomationStepCount: as('What a step has done.'),
  ...inEach([...WRITTEN, 'Automation'], {
    title: as('Title.', 'Welcome'),
    trigger: as('For whom it begins. A person enters with a phone number or an e-mail address.', {
      when: 'listed',
      ListId: list,
    }),
    timeZone: as('Time zone of the times of dates, and of days that are waited.', 'Europe/Moscow'),
    isActive: as(
      'False while it is a draft or paused: nobody enters, and those who have entered wait where they are.',
      true,
    ),
  }),
  ...inEach(WRITTEN, {
    steps: as(
      'What happens then, in this order; each step at most once for a person. A step that was there before keeps its `id`: people who have taken it do not take it again, wherever it is now.',
      unnumbered,
    ),
  }),
  'Automation.steps': as('What happens then, in this order.', STEPS),
  'Automation.trigger.when': as('What happens to a person first.'),
  'Automation.steps.id': as('Id of the step within the automation.', 1),
  'Automation.steps.do': as('What the step does.'),
  'Automation.reason': as(
    'Why it was paused by the installation: who changed it last may no longer do what it does (`forbidden`), its list, segment or template was removed (`removed`), the balance does not cover its messages (`insufficient_funds`), or a spend cap does not (`spend_cap_reached`). Who is on the way waits, and goes on when it is started again. Null if it runs or was paused by a user.',
    null,
  ),
  'Automation.startedAt': dated('Time of its last start.'),
  'Automation.nextScanAt': time(
    'When it looks for people again, with the triggers `segment`, `date` and `silence`. Null otherwise, and while it is paused.',
  ),
  'Automation.entered': as('Number of people who have entered.', 120),
  'Automation.done': as('Number of those who have taken all steps.', 80),
  'Automation.stopped': as('Number of those for whom a step has stopped it.', 12),
  'Automation.left': as(
    'Number of those for whom it ended because their contact was removed meanwhile.',
    1,
  ),
  'Automation.failed': as(
    'Number of those for whom it was given up, because a step has failed for an hour.',
    0,
  ),
  'Automation.UserId': id(
    'User who set it up or changed it last: it acts with the rights of this user.',
  ),
  ...inEach(['WhenListed', 'WhenInSegment', 'WhenDate', 'WhenSilent', 'WhenKeyword'], {
    when: as('Kind of the trigger.'),
  }),
  WhenListed: as(
    'A contact was added to a list while the automation runs, in whatever way. A person enters once.',
  ),
  'WhenListed.ListId': as('Regular contact list.', list),
  WhenInSegment: as(
    'A contact has become a member of a segment. Who is a member at the start does not enter; others do once, within about a quarter of an hour.',
  ),
  'WhenInSegment.SegmentId': as('Segment.', '01930000-0000-7000-8000-000000000112'),
  WhenDate: as(
    'The day and month of a date of a contact, such as a birthday. A person enters once a year; February 29 is the 28th in other years.',
  ),
  'WhenDate.field': as(
    'Field of the date. In fields with own names it is written `1990-12-31` or `31.12.1990`.',
  ),
  'WhenDate.ListId': as('Contact list. Null: all regular lists.', list),
  'WhenDate.time': as('Time of the day by the clocks of the time zone.', '09:30'),
  WhenSilent: as(
    'The last message to a person, sent since the start, has had no reply. A person enters once, and again after writing.',
  ),
  'WhenSilent.days': as('Days since that message.', 14),
  WhenKeyword: as('A person has written one of the words. A person enters once a day at most.'),
  'WhenKeyword.keywords': as('Words or phrases, whatever their case.', ['price']),
  'WhenKeyword.mode': as(
    'Whether the message is the keyword (`equals`), begins with it (`starts`) or contains it (`contains`), always as whole words.',
  ),
  ...inEach(['StepWait', 'StepMessage', 'StepTemplate', 'StepTag', 'StepStop'], {
    id: as('Id of a step that was there before and does the same. Absent: a new step.', 1),
    do: as('What the step does.'),
  }),
  StepWait: as('The next step is taken later.'),
  'StepWait.amount': as('How many: at most 1440 minutes, 720 hours or 365 days.', 3),
  'StepWait.unit': as(
    'Unit. After days the clocks show the same time as before, whether or not they were changed.',
  ),
  StepMessage: as(
    'A message with a text. It is refused for whom a bulk would not be sent to, and waits for the end of quiet hours.',
  ),
  'StepMessage.type': as('Type of the message.'),
  'StepMessage.sender': as('Sender name.', 'MIRTEA'),
  'StepMessage.text': as(
    'Text with variables of the contact, such as `{firstName}`.',
    'Welcome to the tea club, {firstName|friend}!',
  ),
  StepTemplate: as('A message from a template of the account, with its fallbacks.'),
  'StepTemplate.TemplateId': as(
    'Template. Its text is that of the time at which it is sent.',
    '01930000-0000-7000-8000-000000000113',
  ),
  StepTag: as('Tags are added to the contact, or removed from it.'),
  'StepTag.add': as('Tags that the contact gets.', ['welcomed']),
  'StepTag.remove': as('Tags that it loses.', ['new']),
  StepStop: as('Ends it for those who have replied.'),
  'StepStop.if': as('`replied`: the person has written to the account since entering.'),
  'AutomationStepCount.id': as('Id of the step.', 1),
  'AutomationStepCount.taken': as('Number of people who have taken it.', 120),
  'AutomationStepCount.held': as(
    'For how many of them it had no effect, by the reason: the code of a refusal, `no_address` without an address for the type, `no_contact` and `tags_full` of tags.',
    { unsubscribed: 2 },
  ),
  'AutomationStepCount.waiting': as(
    'Number of people whose last step it was and who wait for the next one.',
    27,
  ),
  'automations.counts.steps': as('The steps in their order.'),
  'automations.counts.waiting': as('Number of people who wait, before the first step as well.', 27),
  'automations.runs.data': as('The people on this page, the last to enter first.'),
  'automations.runs.total': as('Number of people, counted up to 10,000.', 1),
  'automations.runs.totalIsCapped': as('True if there are more people than `total` counts.', false),
  'automations.runs.limit': as('Maximum number of people on this page.', 16),
  'automations.runs.offset': as('Number of people before this page.', 0),
  'AutomationRun.address': as('Phone number or e-mail address.', '+79161234567'),
  'AutomationRun.ContactId': id('Contact. Null if the person is in no list.'),
  'AutomationRun.state': as(
    'Waiting for the next step, or how it ended: all steps are taken (`done`), a step has stopped it (`stopped`), the contact was removed (`left`), or it was given up (`failed`).',
  ),
  'AutomationRun.taken': as('Ids of the steps that were taken, in their order.', [1, 2]),
  'AutomationRun.dueAt': time('When the next step is taken. Null after the end.'),
  'AutomationRun.code': as(
    'Why the last step without an effect had none. Null if all had one.',
    'unsubscribed',
  ),
  'AutomationRun.SendingId': id('The last message. Null without one; it may have been deleted.'),
};
