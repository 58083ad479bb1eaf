import manifest from '../../../../package.json' with { type: 'json' };

/** The version of the product, from the manifest of the repository. */
export const VERSION: string = manifest.version;
