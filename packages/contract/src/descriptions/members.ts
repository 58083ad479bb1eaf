import { as, dated, inEach, type Description } from './description.ts';

const ROLE =
  'What the member does: everything that the holder can (`owner`), messages and contacts (`sender`), statistics and reports (`analyst`), payments and documents (`accountant`), tokens, webhooks and integrations (`developer`), or reading (`readOnly`).';

export const MEMBERS: Record<string, Description> = {
  Member: as('User of the own account.'),
  NewMember: as('Person who is invited to the own account.'),
  'Member.username': as('Name with which the member signs in.', 'anna@example.com'),
  'Member.email': as('E-mail address of the member. Null if it has none.', 'anna@example.com'),
  'NewMember.email': as(
    'Address to which the invitation is sent. It becomes the username of the member.',
    'anna@example.com',
  ),
  ...inEach(['Member', 'NewMember'], {
    firstName: as('First name. Null if it is not known.', 'Anna'),
    lastName: as('Last name. Null if it is not known.', 'Petrova'),
  }),
  'Member.role': as(`${ROLE} That of the holder is \`owner\` and cannot be changed.`),
  'NewMember.role': as(ROLE),
  'members.update.role': as(ROLE),
  'User.role': as('Role of a member of the team of the account. Null for the account holder.'),
  'Member.isHolder': as('True for the account holder, who can be neither changed nor removed.'),
  'users.find.?isHolder': as(
    'Return only account holders, or only members of their teams.',
    'true',
  ),
  'Member.isActive': as('False while the user is suspended.'),
  'Member.invitedAt': dated(
    'Time of the invitation of a member who has chosen no password yet. Null otherwise.',
  ),
  'Member.hasSecondFactor': as('True if the member signs in with a second factor.'),
  'Member.lastUsedAt': dated('Time at which the member was last active in a session that is open.'),
  'members.create.member': as('The new member.'),
  'members.create.invitation': as('How the member chooses the password.'),
};
