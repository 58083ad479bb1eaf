import { Module } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { DadataLookups } from './dadata.driver.ts';
import { LocalLookups } from './local.driver.ts';
import { LookupDriver, NoLookups } from './lookup-driver.ts';
import { LookupsController } from './lookups.controller.ts';
import { LookupsService } from './lookups.service.ts';

@Module({
  controllers: [LookupsController],
  providers: [
    LookupsService,
    {
      provide: LookupDriver,
      useFactory: (config: Config): LookupDriver =>
        config.lookups === 'dadata'
          ? new DadataLookups(config)
          : config.lookups === 'local'
            ? new LocalLookups()
            : new NoLookups(),
      inject: [Config],
    },
  ],
})
export class LookupsModule {}
