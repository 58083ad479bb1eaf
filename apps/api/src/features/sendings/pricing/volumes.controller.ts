import { Controller } from '@nestjs/common';
import { tariffs, type ResponseOf } from '@heliograph/contract';
import { documentMonth } from '@heliograph/domain';
import type { Actor } from '../../../core/auth/actor.ts';
import { Clock } from '../../../core/clock.ts';
import { CurrentActor, Endpoint, Input, type In } from '../../../core/http/endpoint.ts';
import { ChargesService } from '../../billings/charges.service.ts';
import { TariffsService } from '../../tariffs/tariffs.service.ts';

/** What accounts have used of tariffs with volume steps. */
@Controller()
export class VolumesController {
  constructor(
    private readonly tariffs: TariffsService,
    private readonly charges: ChargesService,
    private readonly clock: Clock,
  ) {}

  @Endpoint(tariffs.volumes)
  async find(
    @CurrentActor() actor: Actor,
    @Input() { query }: In<typeof tariffs.volumes>,
  ): Promise<ResponseOf<typeof tariffs.volumes>> {
    const { OwnerId = actor.OwnerId } = query;
    const now = this.clock.now();
    const { from, to } = documentMonth(now);
    const held = await this.tariffs.ofOwner(OwnerId);
    const volumes = await this.charges.volumesOf(OwnerId, now);
    const data = held
      .filter(({ volumeSteps }) => volumeSteps.length)
      .map(({ id: TariffId, title: tariff, volumeSteps: steps }) => {
        const { step, next, use } = volumes.use(OwnerId, { TariffId, steps }, 0, now);
        return {
          TariffId,
          tariff,
          startsAt: from.toISOString(),
          endsAt: to.toISOString(),
          units: use.before,
          step,
          next,
          left: next && next.from - use.before,
        };
      });
    return { data };
  }
}
