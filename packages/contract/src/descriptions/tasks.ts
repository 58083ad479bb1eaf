import { as, dated, id, list, payload, sum, time, type Description } from './description.ts';

/** Counts of one audience of a bulk. */
const resendable = (audience: string): Record<string, Description> => ({
  [`TaskOutcome.${audience}.count`]: as(
    'Number of recipients to whom the message can be sent again.',
    20,
  ),
  [`TaskOutcome.${audience}.unsubscribed`]: as(
    'Number of recipients left out because they have opted out.',
    1,
  ),
  [`TaskOutcome.${audience}.reached`]: as(
    'Number of recipients left out because another message has reached them since, or still may.',
    6,
  ),
});

export const TASKS: Record<string, Description> = {
  'sending.live': as('False for a bulk of a test token, absent otherwise.', false),
  Task: as('Task: the progress of a bulk.'),
  'Task.title': as('Title of the task.', 'Orders of November'),
  'SendingTask.title': as('Title of the task.', 'Orders of November'),
  'tasks.update.title': as('Title of the task.', 'Orders of November'),
  'Task.type': as('Type of the task.'),
  'SendingTask.type': as('Type of the task.'),
  'Task.state': as('State of the task.'),
  'SendingTask.state': as('State of the task.'),
  TaskState: as(
    'State of a task. `scheduled`: waiting for its start time. `running`: sending messages. `paused`: paused until resumed. `stopped`: stopped by a user. `completed`: finished. `failed`: ended with an error.',
  ),
  'tasks.update.state': as(
    'New state. `paused` and `stopped` are allowed for a scheduled or running task; `scheduled` resumes a paused task; `running` starts a scheduled one before its time. The state that the task has changes nothing.',
  ),
  reason: as(
    'Error code that explains why the task is paused or failed. Null otherwise.',
    'insufficient_funds',
  ),
  'Task.data': as('Message and recipients of the task.'),
  'SendingTask.data': as('Message and recipients of the task.'),
  'data.sending': as('Message of the task. Only for `sendings:bulk`.'),
  'sending.variants': as(
    'Of a bulk with two texts: which of its three tasks this is, and how its text is chosen. Absent for others.',
  ),
  TaskVariants: as('One of the three tasks of a bulk with two texts.'),
  'TaskVariants.part': as(
    'Part of the recipients: those of the first text, those of the second, or the rest, who get the better one.',
  ),
  'TaskVariants.texts': as(
    'The two texts. Only when a single task is retrieved, and until texts are deleted by their age.',
  ),
  'TaskVariants.texts.A': as('The first text.', 'Your order is ready'),
  'TaskVariants.texts.B': as('The second text.', 'Your order is waiting for you'),
  'TaskVariants.share': as('Percent of the recipients that get the two texts.', 20),
  'TaskVariants.by': as('What decides between the texts.'),
  'TaskVariants.hours': as('Hours from the start of the two texts until that of the rest.', 4),
  'TaskVariants.tasks': as('The tasks of both texts and of the rest.'),
  'TaskVariants.tasks.A': id('Task of the first text.'),
  'TaskVariants.tasks.B': id('Task of the second text.'),
  'TaskVariants.tasks.rest': id('Task of the rest.'),
  'TaskVariants.slice': as(
    'The part of the recipients. An address has one of 10,000 slots: the first 32 bits of SHA-256 of `seed` and the address, modulo 10,000.',
  ),
  'TaskVariants.slice.seed': as(
    'What is put before each address.',
    '01930000-0000-7000-8000-0000000000a1',
  ),
  'TaskVariants.slice.from': as('The first slot.', 0),
  'TaskVariants.slice.to': as('The slot after the last.', 1000),
  'TaskVariants.clicksBefore': as(
    'Clicks that the links of the texts had when the bulk was created. Only if clicks decide.',
    { A: 0, B: 0 },
  ),
  'clicksBefore.A': as('Clicks of the links of the first text.', 0),
  'clicksBefore.B': as('Clicks of the links of the second text.', 0),
  'TaskVariants.chosen': as(
    'The text of the rest. Null before it starts, for the tasks of the texts, and if both texts were stopped, with which the rest stops.',
  ),
  'chosen.variant': as('The text that was chosen.'),
  'chosen.reason': as(
    'Why. `better`: its figure is greater. `equal`: the figures are the same, and the first text is taken. `stopped`: the other text was stopped.',
  ),
  'chosen.at': time('When.'),
  'chosen.figures': as('The figures of both texts at that time.'),
  VariantFiguresOf: as('Figures of two texts.'),
  'VariantFiguresOf.A': as('Of the first text.'),
  'VariantFiguresOf.B': as('Of the second text.'),
  VariantFigures: as('How many recipients of a text did what.'),
  'VariantFigures.recipients': as(
    'Number of recipients, without those that a stop cancelled.',
    100,
  ),
  'VariantFigures.ended': as('Number of recipients with a result.', 98),
  'VariantFigures.delivered': as('Number of recipients who were reached.', 90),
  'VariantFigures.replied': as('Number of recipients with a reply.', 7),
  'VariantFigures.clicks': as(
    'Clicks of the short links that only this text has, since the bulk was created. Null if clicks do not decide.',
    12,
  ),
  'TaskOutcome.variants': as(
    'Present figures of both texts, for one of the three tasks of a bulk with two texts. Absent for others. Clicks are null without the permission `links.get`.',
  ),
  'data.recurrent': as('Charged recurrent payment. Only for `payments:recurrent`.'),
  'recurrent.RecurrentPaymentId': id('Recurrent payment.'),
  'recurrent.PaymentId': id('Payment that the charge created. Null before it exists.'),
  'data.operations': as('Bulk operation. Only for `billings:operations`.'),
  'operations.filename': as('Name of the uploaded file.', 'bonuses.xlsx'),
  'operations.rows': as('Number of rows that are entered.', 120),
  'operations.ReportId': id(
    'File in the storage with the outcome of each row. Null until the operation ends.',
  ),
  'sending.type': as('Message type of the first attempt.', 'sms'),
  'sending.groupId': id(
    'Group of the messages. Use it as the filter `groupId` of `GET /sendings`.',
  ),
  'sending.payload': as('Content of the first attempt.', payload),
  'data.recipients': as('Included and excluded recipients. Only for `sendings:bulk`.'),
  'data.recipients.include': as('Recipients of the message.'),
  'data.recipients.exclude': as('Excluded recipients.'),
  lists: as('Ids of contact lists.', [list]),
  'include.recipients': as(
    'Individual recipients, the first 1,000. Only when a single task is retrieved.',
    ['+79990000000'],
  ),
  'exclude.recipients': as(
    'Individual recipients, the first 1,000. Only when a single task is retrieved.',
    ['+79990000006'],
  ),
  'include.count': as('Number of individual recipients.', 1),
  'exclude.count': as('Number of individual recipients.', 1),
  'Task.meta': as('Counters and costs of the task.'),
  'SendingTask.meta': as('Counters and costs of the task.'),
  'meta.amount': sum('Amount charged and not refunded.', 3444),
  'Task.until': time(
    'Time at which the last message is due. Null if the messages are not spread over time.',
  ),
  'SendingTask.until': time(
    'Time at which the last message is due. Null if the messages are not spread over time.',
  ),
  startsAt: time('Scheduled start. Null for an immediate start.'),
  startedAt: dated('Time of the start.'),
  finishedAt: dated('Time of the end.'),
  TaskErrors: as('Failures of a task by reason.'),
  'TaskErrors.data': as(
    'Recipients with the outcome `failed`, by the error code of their last attempt, most frequent first.',
  ),
  'TaskErrors.data.code': as('Error code.', 'absent_subscriber'),
  'TaskErrors.data.count': as('Number of recipients with this error.', 30),
  'TaskErrors.others': as(
    'Number of failed attempts whose recipient has not failed: another attempt was delivered, is in progress or was stopped.',
    2,
  ),
  'TaskErrors.data.amount': sum('Amount charged for their last attempts.', 105),
  'TaskErrors.refunded': sum('Amount refunded for all failed attempts.', 105),
  'Task.OriginId': id('The bulk whose recipients this one is sent to. Absent for others.'),
  'SendingTask.OriginId': id('The bulk whose recipients this one is sent to. Absent for others.'),
  TaskOutcome: as(
    'How a bulk went. Figures of `attempts` and `timeline` count messages, those of `operators` recipients. The summary is up to some seconds old.',
  ),
  'TaskOutcome.attempts': as('Messages by attempt and type.'),
  'TaskOutcome.attempts.attempt': as('0 for the first attempt, 1 for the first fallback.', 0),
  'TaskOutcome.attempts.type': as('Message type.', 'viber'),
  'TaskOutcome.attempts.count': as('Number of messages.', 200),
  'TaskOutcome.attempts.submitted': as('Number of messages that the carrier has accepted.', 198),
  'TaskOutcome.attempts.delivered': as(
    'Number of delivered messages, those that were read among them.',
    171,
  ),
  'TaskOutcome.attempts.seen': as('Number of messages that were read.', 90),
  'TaskOutcome.attempts.replied': as('Number of messages with a reply.', 4),
  'TaskOutcome.attempts.failed': as('Number of failed messages.', 27),
  'TaskOutcome.attempts.cancelled': as('Number of messages cancelled by stopping the task.', 0),
  'TaskOutcome.attempts.pending': as('Number of messages without a result.', 2),
  'TaskOutcome.operators': as(
    'Recipients by the operator to which their number was allocated, up to 50 operators.',
  ),
  'TaskOutcome.operators.mccmnc': as(
    'Code of the network. Null if the number is not known.',
    '25001',
  ),
  'TaskOutcome.operators.name': as('Name of the operator. Null if it is not known.', 'MTS'),
  'TaskOutcome.operators.country': as(
    'Country, ISO 3166-1 alpha-2. Null if it is not known.',
    'RU',
  ),
  'TaskOutcome.operators.count': as('Number of recipients.', 60),
  'TaskOutcome.operators.delivered': as('Number of recipients who were reached.', 55),
  'TaskOutcome.operators.failed': as('Number of recipients who were not reached.', 5),
  'TaskOutcome.operators.cancelled': as('Number of recipients cancelled by stopping the task.', 0),
  'TaskOutcome.timeline': as('Messages over time, in up to 48 steps.'),
  'TaskOutcome.timeline.seconds': as('Length of a step in seconds.', 60),
  'TaskOutcome.timeline.steps': as(
    'Steps in order, without gaps. The last one contains all later events.',
  ),
  'TaskOutcome.timeline.steps.at': time('Start of the step.'),
  'TaskOutcome.timeline.steps.submitted': as('Number of messages submitted in the step.', 120),
  'TaskOutcome.timeline.steps.delivered': as('Number of messages delivered in the step.', 100),
  'TaskOutcome.timeline.steps.failed': as('Number of messages that failed in the step.', 3),
  'TaskOutcome.cost': as(
    'Cost of all attempts. `charged` is the sum of `spent`, `reserved` and `refunded`.',
  ),
  'TaskOutcome.cost.charged': sum('Amount charged for all messages.', 700),
  'TaskOutcome.cost.spent': sum('Amount of messages with a result that was not refunded.', 598.5),
  'TaskOutcome.cost.reserved': sum('Amount of messages without a result.', 7),
  'TaskOutcome.cost.refunded': sum('Refunded amount.', 94.5),
  'TaskOutcome.cost.covered': as(
    'Number of messages that prepaid packages cover, without those whose units were given back. They are in none of the amounts.',
    0,
  ),
  'TaskOutcome.retry': as(
    'Recipients who were not reached, for a bulk to `failedOf` of the same type.',
  ),
  'TaskOutcome.unclicked': as(
    'Recipients who were reached and did not click, for a bulk to `unclickedOf` of the same type. Null if the bulk does not tell (`tellsWhoClicked`), has not ended, or is so large that counting takes too long.',
  ),
  'TaskOutcome.unseen': as(
    'Recipients who were reached and did not open the message, for a bulk to `unseenOf` of the same type. Null if nobody is known to have opened it, the bulk has not ended, or is so large that counting takes too long.',
  ),
  ...resendable('retry'),
  ...resendable('unclicked'),
  ...resendable('unseen'),
  'TaskOutcome.links': as(
    'Short links in the texts of the bulk. Empty without the permission `links.get`.',
  ),
  'TaskOutcome.links.url': as('Target of the link.', 'https://example.com/sale'),
  'TaskOutcome.links.shortUrl': as('URL in the message.', 'https://example.com/s/aB3dE6gH9'),
  'TaskOutcome.links.clicks': as(
    'Number of clicks, in other messages too. Null when another service serves the link.',
    12,
  ),
  'TaskOutcome.links.clickedBy': as(
    'Number of recipients of the bulk who clicked the link. Null if the bulk does not tell (`tellsWhoClicked`).',
    9,
  ),
  'TaskOutcome.clickedBy': as(
    'Number of recipients who clicked a short link of the bulk. Null if the bulk does not tell (`tellsWhoClicked`).',
    9,
  ),
  'TaskOutcome.origin': as('The bulk whose recipients this one is sent to. Null for others.'),
  'TaskOutcome.origin.state': as('State of the task.'),
  'TaskOutcome.origin.audience': as(
    'Which recipients of it this one is sent to: those who failed, did not click, or did not open it.',
    'failed',
  ),
  'TaskOutcome.resends.state': as('State of the task.'),
  'TaskOutcome.resends.audience': as(
    'Which recipients it is sent to: those who failed, did not click, or did not open the message.',
    'unclicked',
  ),
  'TaskOutcome.resends': as('The last 20 bulks to recipients of this one, newest first.'),
  TaskUnsent: as('Messages that would be cancelled by stopping a task.'),
  'TaskUnsent.count': as('Number of attempts not yet submitted to the carrier.', 500),
  'TaskUnsent.submitted': as(
    'Number of attempts already submitted to the carrier, which cannot be cancelled.',
    20,
  ),
  'TaskUnsent.dueAt': dated('Time at which the next of them is due. Null if none is left.'),
  'TaskUnsent.amount': sum('Amount that would be refunded.', 1750),
};
