import { expect, test } from 'vitest';
import { proposeGenitive } from './genitive.ts';

test('the genitive follows the nominative until it is corrected', () => {
  const typed = proposeGenitive('fullName', { nominative: '', genitive: '' }, 'Седов Роман Ильич');
  expect(typed.genitive).toBe('Седова Романа Ильича');
  const changed = proposeGenitive('fullName', typed, 'Мирская Анна Сергеевна');
  expect(changed.genitive).toBe('Мирской Анны Сергеевны');
  const corrected = { ...changed, genitive: 'Мирская Анна' };
  expect(proposeGenitive('fullName', corrected, 'Дюма').genitive).toBe('Мирская Анна');
});
