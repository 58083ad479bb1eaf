import { answers } from '../../core/worker-answers.ts';
import type { FactsInput } from './content-facts.ts';
import { readFacts } from './read-facts.ts';

answers((input: FactsInput) => readFacts(...input));
