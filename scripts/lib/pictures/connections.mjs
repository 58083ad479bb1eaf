const user = 'customer';

export const CONNECTION_PICTURES = [
  { name: 'integrations', path: '/settings/integrations', user, height: 900 },
  { name: 'webhooks', path: '/settings/webhooks', user, height: 480 },
  { name: 'wapi', path: '/settings/wapi', user, height: 560 },
  { name: 'suppressions', path: '/settings/suppressions', user, height: 620 },
  { name: 'widgets', path: '/widgets', user, height: 420 },
];
