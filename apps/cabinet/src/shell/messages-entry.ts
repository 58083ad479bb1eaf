import { partsEntry } from '../core/parts-entry.ts';
import { MESSAGES, messageParts } from './navigation.ts';

/** `/messages` redirects to the first part that the user may read, outgoing for most. */
export const messagesEntry = partsEntry('/messages', messageParts, MESSAGES[0]!.to);
