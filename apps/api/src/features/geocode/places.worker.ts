import type { Coordinates, Place } from '@heliograph/contract';
import { answers } from '../../core/worker-answers.ts';
import { Places } from './places.ts';

const places = new Places();
answers((at: Coordinates): Place | null => places.locate(at));
