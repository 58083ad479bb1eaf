import { Injectable } from '@nestjs/common';
import type { TaskVariants } from '@heliograph/contract';
import {
  chooseVariant,
  VARIANTS,
  type Variant,
  type VariantFigures,
  type VariantFiguresOf,
} from '@heliograph/domain';
import { ownScope } from '../../core/auth/actor.ts';
import { LinksService } from '../links/links.service.ts';
import type { OpenTask } from './tasks.types.ts';
import { VariantsStore, type TextFigures } from './variants.store.ts';

/** How the two texts of a bulk do, and which of them the rest gets. */
@Injectable()
export class VariantsService {
  constructor(
    private readonly store: VariantsStore,
    private readonly links: LinksService,
  ) {}

  /**
   * At the first start of the rest, chooses its text by the figures of both; false if there is none, because both were stopped. In the
   * transaction of the start. No message of the rest exists before, so that nobody has read its request.
   */
  async choose({ id, OwnerId, data }: OpenTask, now: Date): Promise<boolean> {
    const { variants, payload } = data.sending;
    if (variants?.part !== 'rest' || variants.chosen) return true;
    const texts = await this.read(OwnerId, variants);
    const figures = { A: figuresOf(texts.A), B: figuresOf(texts.B) };
    const stopped = VARIANTS.filter((variant) => texts[variant]?.state === 'stopped');
    const chosen = chooseVariant(variants.by, figures, stopped);
    if (!chosen) return false;
    const text = variants.texts?.[chosen.variant] ?? payload.text ?? '';
    const choice: TaskVariants['chosen'] = { ...chosen, at: now.toISOString(), figures };
    await this.store.choose(id, choice, text, variants.tasks.A);
    return true;
  }

  /** The present figures of both texts. */
  async figures(OwnerId: string, variants: TaskVariants): Promise<VariantFiguresOf> {
    const { A, B } = await this.read(OwnerId, variants);
    return { A: figuresOf(A), B: figuresOf(B) };
  }

  /** Clicks of the short links that only one of two texts has; null of a text without one. */
  async clicksOf(
    OwnerId: string,
    texts: Record<Variant, string>,
  ): Promise<Record<Variant, number | null>> {
    const actor = { scope: ownScope(OwnerId) };
    const [inA, inB] = [
      await this.links.inText(actor, texts.A),
      await this.links.inText(actor, texts.B),
    ];
    const sum = (own: typeof inA, other: typeof inA) => {
      const others = new Set(other.map(({ id }) => id));
      const only = own.filter(({ id }) => !others.has(id));
      return only.length ? only.reduce((total, { clicks }) => total + (clicks ?? 0), 0) : null;
    };
    return { A: sum(inA, inB), B: sum(inB, inA) };
  }

  private async read(OwnerId: string, { tasks, texts, clicksBefore }: TaskVariants) {
    const rows = await this.store.figures(OwnerId, tasks);
    const clicks = texts && clicksBefore ? await this.clicksOf(OwnerId, texts) : null;
    const of = (variant: Variant) => {
      const row = rows.find(({ id }) => id === tasks[variant]);
      const now = clicks?.[variant] ?? null;
      return row && { ...row, clicks: now === null ? null : now - clicksBefore![variant] };
    };
    return { A: of('A'), B: of('B') };
  }
}

function figuresOf(
  read: (TextFigures & Pick<VariantFigures, 'clicks'>) | undefined,
): VariantFigures {
  if (!read) return { recipients: 0, ended: 0, delivered: 0, replied: 0, clicks: null };
  const { id: _, state: _state, ...figures } = read;
  return figures;
}
