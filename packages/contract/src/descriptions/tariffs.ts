import { as, PRICE, type Description } from './description.ts';

export const TARIFFS: Record<string, Description> = {
  Tariff: as('Tariff.'),
  'Tariff.title': as('Title of the tariff.', 'Base'),
  'UserTariff.title': as('Title of the tariff.', 'Base'),
  source: as('Source of the tariff.', 'base'),
  'Tariff.usersTariffs': as('Tariff as assigned to the account.'),
  UserTariff: as('Tariff assigned to an account.'),
  'UserTariff.priority': as('Priority of the tariff. Higher values are evaluated first.', 0),
  'UserTariff.finalRules': as('Rules of the tariff, by priority, highest first.'),
  TariffRule: as(
    'Rule of a tariff: a price or a discount that applies if all its conditions are met.',
  ),
  'TariffRule.id': as('Id of the rule in its tariff.', '7'),
  'TariffRule.action': as('`increase` sets the price, `decrease` is a discount from it.'),
  'TariffRule.price': as(PRICE, 3.5),
  'TariffRule.conditions': as('Conditions of the rule. All of them must be met.'),
  'conditions.tag': as(
    'Property to compare. `mccmnc` is the mobile network, `group` the traffic group, `keywords` whole words of the text.',
  ),
  'conditions.value': as(
    'Expected value, or several values of which one must match. `401*` matches all networks of a country.',
    '25001',
  ),
  'TariffRule.priority': as('Priority of the rule. Higher values are evaluated first.', 10),
  Operator: as('Mobile network.'),
  'Operator.mccmnc': as(
    'Network code as requested: MCC followed by MNC, or `401*` for all networks of a country.',
    '25001',
  ),
  'Operator.name': as(
    'Name of the operator. Null for all networks of a country, and if only the country is known.',
    'MTS',
  ),
};
