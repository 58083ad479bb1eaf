import { createBrowserRouter, matchPath, redirect, type RouteObject } from 'react-router';
import './core/drafts.ts';
import { withTexts } from './core/i18n/i18n.ts';
import { fetched } from './core/lost-chunk.ts';
import { onNewPath } from './core/page.ts';
import { isOpenPage } from './core/open-pages.ts';
import { session } from './core/session/session.ts';
import { localPath } from './core/local-path.ts';
import { identityProviderRoutes } from './features/identity-providers/routes.tsx';
import { installationRoutes } from './features/installation/routes.tsx';
import { routeRoutes } from './features/routes/routes.tsx';
import { accountGroupRoutes } from './features/account-groups/routes.tsx';
import { accountRoutes, passwordRoutes, profileRoutes } from './features/account/routes.tsx';
import { analyticsRoutes } from './features/analytics/routes.tsx';
import { marginRoutes } from './features/margins/routes.tsx';
import { accountAuditRoutes, auditRoutes } from './features/audit/routes.tsx';
import { authRoutes, secondFactorRoutes } from './features/auth/routes.tsx';
import { balanceRoutes } from './features/balance/routes.tsx';
import { billingRoutes } from './features/billings/routes.tsx';
import { brandRoutes } from './features/brands/routes.tsx';
import { channelRoutes } from './features/channels/routes.tsx';
import { companyRoutes } from './features/companies/routes.tsx';
import { contactListRoutes } from './features/contact-lists/routes.tsx';
import { personRoutes } from './features/persons/routes.tsx';
import { conversationRoutes } from './features/conversations/routes.tsx';
import { documentTemplateRoutes } from './features/document-templates/routes.tsx';
import { documentationRoutes } from './features/documentation/routes.tsx';
import { homeRoutes } from './features/home/routes.tsx';
import { inboundRuleRoutes } from './features/inbound-rules/routes.tsx';
import { integrationRoutes } from './features/integrations/routes.tsx';
import { invoiceRoutes } from './features/invoices/routes.tsx';
import { notificationRoutes } from './features/notifications/routes.tsx';
import { packageRoutes } from './features/packages/routes.tsx';
import { patternRoutes } from './features/patterns/routes.tsx';
import { paymentRoutes } from './features/payments/routes.tsx';
import { automationRoutes } from './features/automations/routes.tsx';
import { recurringSendingRoutes } from './features/recurring-sendings/routes.tsx';
import { recurrentPaymentRoutes } from './features/recurrent-payments/routes.tsx';
import { referralRoutes } from './features/referrals/routes.tsx';
import { reportRoutes } from './features/reports/routes.tsx';
import { requisiteRoutes } from './features/requisites/routes.tsx';
import { sendRoutes } from './features/send/routes.tsx';
import { sendernameRoutes } from './features/sendernames/routes.tsx';
import { incomingRoutes } from './features/sendings-incoming/routes.tsx';
import { outgoingRoutes } from './features/sendings/routes.tsx';
import { settingsUserRoutes } from './features/settings-user/routes.tsx';
import { storageRoutes } from './features/storage/routes.tsx';
import { suppressionRoutes } from './features/suppressions/routes.tsx';
import { surveyRoutes } from './features/survey/routes.tsx';
import { systemMessageRoutes } from './features/system-messages/routes.tsx';
import { tariffRoutes } from './features/tariffs/routes.tsx';
import { bulkRoutes } from './features/bulk/routes.tsx';
import { taskRoutes } from './features/tasks/routes.tsx';
import { teamRoutes } from './features/team/routes.tsx';
import { telemetryRoutes } from './features/telemetry/routes.tsx';
import { templateRoutes } from './features/templates/routes.tsx';
import { tokenRoutes } from './features/tokens/routes.tsx';
import { userRoutes } from './features/users/routes.tsx';
import { wapiRoutes } from './features/wapi/routes.tsx';
import { webhookRoutes } from './features/webhooks/routes.tsx';
import { widgetRoutes } from './features/widgets/routes.tsx';
import { Splash } from './shell/splash.tsx';

/** With the query: a link to a dialog or a filter leads to it. */
const to = (path: string, target: string): RouteObject => ({
  path,
  loader: ({ request }) => redirect(target + new URL(request.url).search),
});

const pages: RouteObject[] = [
  ...homeRoutes,
  ...sendRoutes,
  {
    path: '/messages',
    shouldRevalidate: onNewPath,
    lazy: {
      loader: async () => (await fetched(() => import('./shell/messages-entry.ts'))).messagesEntry,
      Component: async () => (await fetched(() => import('./shell/messages.tsx'))).Messages,
    },
    children: [
      ...outgoingRoutes,
      ...incomingRoutes,
      ...conversationRoutes,
      ...inboundRuleRoutes,
      ...taskRoutes,
      ...bulkRoutes,
      ...recurringSendingRoutes,
      ...automationRoutes,
      ...templateRoutes,
    ],
  },
  ...contactListRoutes,
  ...personRoutes,
  ...suppressionRoutes,
  ...storageRoutes,
  ...analyticsRoutes,
  ...marginRoutes,
  ...reportRoutes,
  ...sendernameRoutes,
  ...patternRoutes,
  ...packageRoutes,
  ...tariffRoutes,
  ...notificationRoutes,
  ...userRoutes,
  ...auditRoutes,
  ...brandRoutes,
  ...accountRoutes([
    ...profileRoutes,
    ...requisiteRoutes,
    ...teamRoutes,
    ...tokenRoutes,
    ...passwordRoutes,
    ...telemetryRoutes,
    ...accountAuditRoutes,
  ]),
  // In the order of the tabs: payments, recurrent payments, billings, invoices, referrals.
  ...balanceRoutes([
    ...paymentRoutes,
    ...recurrentPaymentRoutes,
    ...billingRoutes,
    ...invoiceRoutes,
    ...referralRoutes,
  ]),
  ...channelRoutes,
  ...accountGroupRoutes,
  ...installationRoutes,
  ...identityProviderRoutes,
  ...routeRoutes,
  ...companyRoutes,
  ...systemMessageRoutes,
  ...documentTemplateRoutes,
  ...settingsUserRoutes,
  ...webhookRoutes,
  ...integrationRoutes,
  ...wapiRoutes,
  ...widgetRoutes,
  ...surveyRoutes,
  ...documentationRoutes,
  {
    path: '/about',
    handle: { title: 'shell:about.title' },
    lazy: {
      Component: async () => (await fetched(() => import('./shell/about-page.tsx'))).AboutPage,
    },
  },
  {
    path: '/debug',
    handle: { title: 'shell:debug.title' },
    lazy: {
      Component: async () => (await fetched(() => import('./shell/debug-page.tsx'))).DebugPage,
    },
  },
];

/** Short and former paths; one whose page is not there leads home, as any unknown path. */
const REDIRECTS: [path: string, target: string][] = [
  ['/sendings', '/messages/outgoing'],
  ['/sendingsIncoming', '/messages/incoming'],
  ['/settings', '/settings/settingsUser'],
  ['/sendernames', '/settings/sendernames'],
  ['/integrations', '/settings/integrations'],
  ['/billings', '/balance/billings'],
  ['/files', '/storage'],
  ['/support', '/about'],
];
const pathsOf = (all: RouteObject[]): (string | undefined)[] =>
  all.flatMap(({ path, children }) => [path, ...pathsOf(children ?? [])]);
const known = new Set(pathsOf(pages));
const redirects = REDIRECTS.filter(([, target]) => known.has(target)).map(([path, target]) =>
  to(path, target),
);

/** Paths are static; the code of a page is loaded with it. */
const routes: RouteObject[] = [
  {
    HydrateFallback: Splash,
    lazy: {
      ErrorBoundary: async () => (await fetched(() => import('./shell/error-page.tsx'))).ErrorPage,
    },
    children: [
      ...authRoutes,
      ...secondFactorRoutes,
      {
        shouldRevalidate: onNewPath,
        lazy: {
          loader: async () => (await fetched(() => import('./shell/layout.tsx'))).layoutLoader,
          Component: async () => (await fetched(() => import('./shell/layout.tsx'))).Layout,
        },
        children: [
          {
            lazy: {
              ErrorBoundary: async () =>
                (await fetched(() => import('./shell/error-page.tsx'))).ErrorPage,
            },
            children: [
              ...pages,
              ...redirects,
              {
                path: '/forbidden',
                handle: { title: 'shell:forbidden.title' },
                lazy: {
                  Component: async () => {
                    // The words of permissions.
                    const page = await withTexts(['tokens'], () =>
                      fetched(() => import('./shell/forbidden-page.tsx')),
                    );
                    return page.ForbiddenPage;
                  },
                },
              },
            ],
          },
        ],
      },
      to('*', '/'),
    ],
  },
];

/** The pages for those who are not signed in, with or without a slash at the end. */
const isGate = (pathname: string): boolean =>
  authRoutes.some(({ path }) => matchPath(path!, pathname));

/** Without a session only the sign-in pages are loaded, not the shell. */
function startAtLogin(): void {
  const { pathname } = location;
  if (session.token() || isGate(pathname) || isOpenPage(pathname)) return;
  const here = location.pathname + location.search;
  const query = here === '/' ? '' : `?to=${encodeURIComponent(here)}`;
  history.replaceState(null, '', `/login${query}`);
}

export function createRouter() {
  startAtLogin();
  const router = createBrowserRouter(routes);
  let { identity } = session.get();
  session.subscribe(() => {
    const { token, reason, isFromElsewhere, ...now } = session.get();
    if (now.identity === identity) return;
    identity = now.identity;
    const { pathname, search } = router.state.location;
    if (isGate(pathname)) {
      // Pages that start a session navigate by themselves, unless another tab started it.
      const target = localPath(new URLSearchParams(search).get('to'));
      return token && isFromElsewhere ? location.assign(target) : undefined;
    }
    // The page stays, in its other frame.
    if (isOpenPage(pathname) && token && isFromElsewhere) return location.reload();
    // Another account begins with another page load: no state of the former one can be left anywhere.
    if (token) {
      const target = reason === 'returned' ? '/users' : '/';
      if (session.isKept()) return location.assign(target);
      // After all that follow the session, of which the cache drops what belongs to the former account.
      return queueMicrotask(() => void router.navigate(target));
    }
    const back = reason === 'expired' ? `?to=${encodeURIComponent(pathname + search)}` : '';
    void router.navigate(`/login${back}`, { replace: true });
  });
  return router;
}
