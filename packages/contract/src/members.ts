import { LOCALES } from '@heliograph/domain';
import * as z from 'zod';
import { Invitation } from './accounts.ts';
import { ById, endpoint, Removed } from './endpoint.ts';
import { Email, Id, PersonName, Time } from './fields.ts';
import { ROLES } from './permissions.ts';

/** A user of the own account: its holder, or who was invited to it. */
export const Member = z.object({
  id: Id,
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** That of the holder is `owner`, and stays. */
  role: z.enum(ROLES),
  isHolder: z.boolean(),
  /** False while the user is suspended. */
  isActive: z.boolean(),
  /** Since when it is invited and has chosen no password. */
  invitedAt: Time.nullable(),
  hasSecondFactor: z.boolean(),
  /** Of its open sessions. */
  lastUsedAt: Time.nullable(),
  createdAt: Time,
});
export type Member = z.infer<typeof Member>;

/** The e-mail is the username of the member. */
export const NewMember = z.strictObject({
  email: Email,
  role: z.enum(ROLES),
  firstName: PersonName.nullish(),
  lastName: PersonName.nullish(),
  /** Language of the invitation; by default that of the browser. */
  locale: z.enum(LOCALES).optional(),
});
export type NewMember = z.output<typeof NewMember>;

const managing = { sessionOnly: true, lasting: 'refused' } as const;

export const members = {
  /** All of them: a team is small. */
  find: endpoint('GET', '/members', {
    response: z.object({ data: z.array(Member) }),
    can: 'members.get',
    sessionOnly: true,
    summary: 'List the users of the own account with their roles',
  }),
  create: endpoint('POST', '/members', {
    body: NewMember,
    response: z.object({ member: Member, invitation: Invitation }),
    status: 201,
    can: 'members.create',
    audit: 'members.create',
    quota: 'members',
    showsSecret: true,
    ...managing,
    summary: 'Invite a person to the own account by e-mail',
  }),
  invite: endpoint('POST', '/members/:id/invite', {
    bound: 'limiter',
    params: ById,
    body: z.strictObject({ locale: z.enum(LOCALES).optional() }),
    response: Invitation,
    can: 'members.create',
    audit: 'members.invite',
    showsSecret: true,
    ...managing,
    summary: 'Invite a member again that has chosen no password; the former link ends',
  }),
  update: endpoint('PUT', '/members/:id', {
    params: ById,
    body: z.strictObject({ role: z.enum(ROLES) }),
    response: Member,
    can: 'members.update',
    audit: 'members.update',
    ...managing,
    summary: 'Change the role of a member; its sessions, API tokens and sockets follow at once',
  }),
  remove: endpoint('DELETE', '/members/:id', {
    params: ById,
    response: Removed,
    can: 'members.remove',
    audit: 'members.remove',
    ...managing,
    summary: 'Remove a member; its sessions, API tokens and sockets end at once',
  }),
};
