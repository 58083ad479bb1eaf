import { ACCOUNT_PICTURES } from './account.mjs';
import { ADMINISTRATION_PICTURES } from './administration.mjs';
import { AUDIENCE_PICTURES } from './audience.mjs';
import { CONNECTION_PICTURES } from './connections.mjs';
import { MONEY_PICTURES } from './money.mjs';
import { RESULT_PICTURES } from './results.mjs';
import { SEND_PICTURES } from './send.mjs';
import { START_PICTURES } from './start.mjs';

/**
 * The pictures of the user guide. `act` brings the page into the state to show, `parts` are the elements to show; without
 * them it is the whole window.
 */
export const PICTURES = [
  ...START_PICTURES,
  ...SEND_PICTURES,
  ...RESULT_PICTURES,
  ...AUDIENCE_PICTURES,
  ...CONNECTION_PICTURES,
  ...MONEY_PICTURES,
  ...ACCOUNT_PICTURES,
  ...ADMINISTRATION_PICTURES,
];
