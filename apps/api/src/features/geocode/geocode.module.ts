import { Module } from '@nestjs/common';
import { Config } from '../../core/config.ts';
import { GeocodeController } from './geocode.controller.ts';
import { GeocodeService } from './geocode.service.ts';
import { Geocoder, NoGeocoder } from './geocoder.ts';
import { HttpGeocoder } from './http.geocoder.ts';
import { LocalGeocoder } from './local.geocoder.ts';

const GEOCODERS = { off: NoGeocoder, local: LocalGeocoder, http: HttpGeocoder };

@Module({
  controllers: [GeocodeController],
  providers: [
    GeocodeService,
    {
      provide: Geocoder,
      useFactory: (config: Config) => new GEOCODERS[config.GEOCODER](config),
      inject: [Config],
    },
  ],
  exports: [GeocodeService],
})
export class GeocodeModule {}
