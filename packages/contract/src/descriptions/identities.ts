import { as, id, time, type Description } from './description.ts';

const code = as(
  'Code of the authenticator app, or a recovery code. Required while the second factor is on.',
  '483920',
);
const answer = as(
  'The query with which the provider returned the browser, as it is. The cookie of the start must come with it.',
  'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
);

const ROLES = as(
  'Of the provider of an account: roles of members by group. A person whom nobody is linked to becomes a member with the role of the first entry that fits, and keeps to it at later sign-ins. A null group is for everybody. Empty if nobody is to become a member.',
  [
    { group: 'admins', role: 'owner' },
    { group: null, role: 'readOnly' },
  ],
);
const GROUP = as('Name or id of the group. Null for everybody.', 'staff');
const ROLE = as('Role in the team of the account.', 'sender');
const REQUIRED = as(
  'Of an account: true if its members sign in through the service alone, without a password or a passkey. The holder keeps these.',
);
const CLAIM = as(
  'Claim of the ID token that names the groups of a person: a list of texts, of which the first 500 count.',
  'groups',
);

export const IDENTITIES: Record<string, Description> = {
  IdentityProvider: as('Service of OpenID Connect that signs users in.'),
  'IdentityProvider.title': as('Name, on the button of the sign-in page.', 'Tea House'),
  'IdentityProvider.issuer': as(
    'Issuer, by which the service is discovered.',
    'https://login.example.com',
  ),
  'IdentityProvider.clientId': as('Client id at the service.', 'heliograph'),
  'IdentityProvider.account': as(
    'Account whose users and customers it signs in. Null for all users of the installation.',
  ),
  'IdentityProvider.levels': as('Levels of users that it signs in.', ['manager']),
  'IdentityProvider.trustsSecondFactor': as(
    'True if users with a second factor need no code: the service asks for one of its own.',
  ),
  'IdentityProvider.isActive': as('False if nobody is signed in by it now.'),
  'IdentityProvider.roles': as(
    'Of an account: roles of the members whom it makes, by group. The first entry that fits applies. Empty if it makes nobody a member.',
  ),
  GroupRole: as('Role of the members who are in a group of the identity provider.'),
  'GroupRole.group': GROUP,
  'GroupRole.role': ROLE,
  'IdentityProvider.groupsClaim': as(
    'Claim of the ID token that names the groups of a person.',
    'groups',
  ),
  'IdentityProvider.isRequired': REQUIRED,
  'IdentityProviderInput.isRequired': REQUIRED,
  'IdentityProviderUpdate.isRequired': REQUIRED,
  'IdentityProvider.logoutUri': as(
    'Address of the back-channel logout. Register it at the service, if it has a place for it.',
    'https://cabinet.example.com/api/login/oidc/01930000-0000-7000-8000-0000000000a1/logout',
  ),
  'IdentityProvider.redirectUri': as(
    'Address to which the service returns people. Register it there.',
    'https://cabinet.example.com/login/oidc/01930000-0000-7000-8000-0000000000a1',
  ),
  'IdentityProvider.users': as('Number of users who are linked to it.', 12),
  'IdentityProvider.updatedAt': time('Time of the latest change.'),
  'identityProviders.find.data': as('Identity providers, oldest first.'),
  'IdentityProviderInput.title': as('Name, on the button of the sign-in page.', 'Tea House'),
  'IdentityProviderInput.issuer': as(
    'Issuer, by which the service is discovered: an https address, or http on the same machine. It does not change later.',
    'https://login.example.com',
  ),
  'IdentityProviderInput.clientId': as('Client id at the service.', 'heliograph'),
  'IdentityProviderInput.secret': as(
    'Client secret. It is stored encrypted and never shown.',
    'c1ient-s3cret',
  ),
  'IdentityProviderInput.AccountId': id(
    'Id of the account whose users and customers it signs in. Null for all users of the installation. It does not change later.',
  ),
  'IdentityProviderInput.levels': as('Levels of users that it signs in.', ['manager']),
  'IdentityProviderInput.trustsSecondFactor': as(
    'True if users with a second factor need no code: the service asks for one of its own.',
  ),
  'IdentityProviderInput.isActive': as('False if nobody is to be signed in by it now.'),
  'IdentityProviderInput.roles': ROLES,
  'IdentityProviderInput.roles.group': GROUP,
  'IdentityProviderInput.roles.role': ROLE,
  'IdentityProviderInput.groupsClaim': CLAIM,
  'IdentityProviderUpdate.title': as('Name, on the button of the sign-in page.', 'Tea House'),
  'IdentityProviderUpdate.clientId': as('Client id at the service.', 'heliograph'),
  'IdentityProviderUpdate.secret': as(
    'New client secret. Without it the former one stays.',
    'c1ient-s3cret',
  ),
  'IdentityProviderUpdate.levels': as('Levels of users that it signs in.', ['manager']),
  'IdentityProviderUpdate.trustsSecondFactor': as(
    'True if users with a second factor need no code: the service asks for one of its own.',
  ),
  'IdentityProviderUpdate.isActive': as('False if nobody is to be signed in by it now.'),
  'IdentityProviderUpdate.roles': ROLES,
  'IdentityProviderUpdate.roles.group': GROUP,
  'IdentityProviderUpdate.roles.role': ROLE,
  'IdentityProviderUpdate.groupsClaim': CLAIM,
  OfferedProvider: as('Identity provider, as the page of a sign-in shows it.'),
  'OfferedProvider.id': id('Id of the identity provider.'),
  'OfferedProvider.title': as('Name of the identity provider.', 'Tea House'),
  Identity: as('Account of a user at an identity provider, which signs the user in.'),
  'Identity.provider': as('The identity provider.'),
  'Identity.name': as(
    'By which the provider knows the person: an e-mail, a name or an id.',
    'ann@tea.example',
  ),
  'Identity.lastUsedAt': time('Time of the latest sign-in. Null before the first one.'),
  'Identity.isManaged': as(
    'True if the provider has made the user a member of its account, and gives the role. The user cannot unlink it.',
  ),
  'identities.find.identities': as('Identities of the user, oldest first.'),
  'identities.find.providers': as('Identity providers to which the user may link.'),
  'identities.offered.data': as('Identity providers that sign in all users, oldest first.'),
  'identities.begin.password': as('Password of the caller.', 'heliograph'),
  'identities.begin.code': code,
  'identities.begin.url': as(
    'Page of the provider. Send the browser there.',
    'https://login.example.com/auth?client_id=heliograph',
  ),
  'identities.start.url': as(
    'Page of the provider. Send the browser there.',
    'https://login.example.com/auth?client_id=heliograph',
  ),
  'identities.create.answer': answer,
  'identities.signIn.answer': answer,
  'identities.confirm.code': as('Code of the authenticator app, or a recovery code.', '483920'),
  'identities.logout.logout_token': as(
    'Logout token: a JWT that the provider has signed, with the claims `sub` and `events`.',
    'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl',
  ),
  'identities.logout.ended': as('Number of sessions that were ended.', 2),
  'identities.logout.?id': id('Id of the identity provider.'),
  'identities.begin.?id': id('Id of the identity provider.'),
  'identities.create.?id': id('Id of the identity provider.'),
  'identities.start.?id': id('Id of the identity provider.'),
  'identities.signIn.?id': id('Id of the identity provider.'),
  'identities.confirm.?id': id('Id of the identity provider.'),
};
